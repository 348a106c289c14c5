import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costRatio } from '#worker/local/testing/growth.ts'
import { linesOf, type Outline, snapTo } from './snap-lines.ts'

const box = (x: number, y: number, width = 100, height = 60): Outline => ({ x, y, width, height, handleY: 20 })

describe('a dragged box', () => {
  it('is drawn to the nearest edge within reach, with a line as long as both need it', () => {
    const lines = linesOf([box(0, 0), box(400, 200)])
    expect(snapTo(lines, box(4, 300, 70), 6)).toEqual({
      by: { x: -4, y: 0 },
      guides: [{ axis: 'x', at: 0, from: 0, to: 360 }],
    })
  })

  it('is drawn to the height where a connection is straight', () => {
    const tall = { ...box(300, 3, 100, 200), handleY: 20 }
    expect(snapTo(linesOf([box(0, 0)]), tall, 6)).toMatchObject({ by: { x: 0, y: -3 } })
  })

  it('stays where it is out of reach, and on an empty canvas', () => {
    expect(snapTo(linesOf([box(0, 0)]), box(217, 117), 6)).toEqual({ by: { x: 0, y: 0 }, guides: [] })
    expect(snapTo(linesOf([]), box(0, 0), 6)).toEqual({ by: { x: 0, y: 0 }, guides: [] })
  })

  it('finds the same lines as a look at each of them', () => {
    const place = fc.integer({ min: -500, max: 500 })
    const outline = fc.record({
      x: place,
      y: place,
      width: fc.integer({ min: 10, max: 200 }),
      height: fc.integer({ min: 10, max: 200 }),
      handleY: fc.integer({ min: 0, max: 200 }),
    })
    fc.assert(
      fc.property(fc.array(outline, { maxLength: 20 }), outline, (others, dragged) => {
        const least = (own: number[], all: number[]) =>
          Math.min(...own.flatMap((a) => all.map((b) => Math.abs(a - b))), Number.POSITIVE_INFINITY)
        const xs = ({ x, width }: Outline) => [x, x + width / 2, x + width]
        const ys = ({ y, height, handleY }: Outline) => [y, y + handleY, y + height]
        const { by } = snapTo(linesOf(others), dragged, 6)
        const nearest = (away: number) => (away <= 6 ? away : 0)
        expect(Math.abs(by.x)).toBe(nearest(least(xs(dragged), others.flatMap(xs))))
        expect(Math.abs(by.y)).toBe(nearest(least(ys(dragged), others.flatMap(ys))))
      }),
    )
  })

  it('costs about as much in a flow of ten thousand nodes as in one of a hundred', async () => {
    const drag = (nodes: number) => {
      const lines = linesOf(Array.from({ length: nodes }, (_, index) => box(index * 7, index * 3)))
      return () => {
        for (let step = 0; step < 1000; step++) snapTo(lines, box(step * 11, step * 5), 6)
      }
    }
    // A look at each line would cost a hundred times as much.
    expect(await costRatio(drag(100), drag(10_000), 20)).toBeLessThan(20)
  })
})
