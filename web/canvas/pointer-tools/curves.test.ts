import { describe, expect, it } from 'vitest'
import { type Curve, curveAt } from './curves.ts'

const curve = (id: string, from: [number, number], to: [number, number]): Curve => ({
  id,
  from: { x: from[0], y: from[1] },
  to: { x: to[0], y: to[1] },
})

describe('the connection under the pointer', () => {
  const curves = [
    curve('upper', [0, 0], [400, 0]),
    curve('lower', [0, 100], [400, 300]),
    curve('back', [900, 0], [600, 200]),
  ]
  it.each([
    ['on a straight one', { x: 200, y: 3 }, 'upper'],
    ['in the middle of a bent one', { x: 200, y: 205 }, 'lower'],
    ['where a bent one has not bent yet', { x: 20, y: 101 }, 'lower'],
    ['on one that leads back, right of its begin', { x: 920, y: 20 }, 'back'],
    ['away from all', { x: 200, y: 60 }, undefined],
    ['beyond the end', { x: 440, y: 0 }, undefined],
  ])('is found %s', (_, point, id) => {
    expect(curveAt(curves, point, 20)?.id).toBe(id)
  })

  it('is the nearer of two', () => {
    const close = [curve('a', [0, 0], [100, 0]), curve('b', [0, 10], [100, 10])]
    expect(curveAt(close, { x: 50, y: 3 }, 20)?.id).toBe('a')
    expect(curveAt(close, { x: 50, y: 8 }, 20)?.id).toBe('b')
  })
})
