import { expect, it } from 'vitest'
import { frameIn } from './map-frame.ts'

const map = { width: 180, height: 112 }
const scale = { x: 0, y: 0, zoom: 0.1 }

it.each([
  ['a part of the flow', { x: -400, y: -200, zoom: 1 }, { x: 40, y: 20, width: 80, height: 60 }],
  ['more than the map', { x: 100, y: 50, zoom: 0.2 }, { x: 0, y: 0, width: 180, height: 112 }],
  ['what begins before the map', { x: 300, y: -100, zoom: 1 }, { x: 0, y: 10, width: 50, height: 60 }],
  ['nothing of the flow', { x: -9000, y: 9000, zoom: 1 }, { x: 172, y: 0, width: 8, height: 8 }],
])('the frame round %s is whole and within the map', (_, view, frame) => {
  expect(frameIn(map, scale, { view, pane: { width: 800, height: 600 } })).toEqual(frame)
})
