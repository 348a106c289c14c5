import { expect, it } from 'vitest'
import { cardAfterKey } from './arrow-keys.ts'

it.each([
  ['ArrowRight', 0, 1],
  ['ArrowLeft', 1, 0],
  ['ArrowDown', 0, 2],
  ['ArrowUp', 3, 1],
  ['Home', 4, 0],
  ['End', 0, 4],
  ['ArrowLeft', 0, undefined],
  ['ArrowRight', 4, undefined],
  ['ArrowUp', 1, undefined],
  ['ArrowDown', 3, undefined],
  ['End', 4, undefined],
  ['Enter', 0, undefined],
  ['constructor', 0, undefined],
])('%s from card %i of five in rows of two goes to %s', (key, at, to) => {
  expect(cardAfterKey(key, { at, count: 5, columns: 2 })).toBe(to)
})
