/** The lines that dragged nodes are drawn to: edges and middles of the nodes that stay. */

import type { Box, Point } from '../geometry/boxes.ts'
import type { Guide } from '../store/store.ts'

/** A box with the heights at which others line up with it: its top, its handle or middle, its bottom. */
export interface Outline extends Box {
  handleY: number
}

interface Line {
  at: number
  /** What it is a line of, along the other axis. */
  from: number
  to: number
}

/** Sorted by `at`: a step of a drag is six binary searches, whatever the size of the flow. */
export interface Lines {
  x: readonly Line[]
  y: readonly Line[]
}

const xsOf = ({ x, width }: Box): number[] => [x, x + width / 2, x + width]
const ysOf = ({ y, height, handleY }: Outline): number[] => [y, y + handleY, y + height]

export function linesOf(outlines: readonly Outline[]): Lines {
  const sorted = (lines: Line[]) => lines.sort((a, b) => a.at - b.at)
  return {
    x: sorted(outlines.flatMap((box) => xsOf(box).map((at) => ({ at, from: box.y, to: box.y + box.height })))),
    y: sorted(outlines.flatMap((box) => ysOf(box).map((at) => ({ at, from: box.x, to: box.x + box.width })))),
  }
}

/** Returns how far the box moves to the nearest lines within reach, and those lines, as long as both boxes need them. */
export function snapTo(lines: Lines, box: Outline, reach: number): { by: Point; guides: Guide[] } {
  const x = nearest(lines.x, xsOf(box), reach)
  const y = nearest(lines.y, ysOf(box), reach)
  const by = { x: x?.by ?? 0, y: y?.by ?? 0 }
  const moved = { ...box, x: box.x + by.x, y: box.y + by.y }
  const guides: Guide[] = []
  if (x) guides.push(guideOf('x', x.line, [moved.y, moved.y + moved.height]))
  if (y) guides.push(guideOf('y', y.line, [moved.x, moved.x + moved.width]))
  return { by, guides }
}

function guideOf(axis: Guide['axis'], line: Line, [from, to]: [number, number]): Guide {
  return { axis, at: line.at, from: Math.min(line.from, from), to: Math.max(line.to, to) }
}

function nearest(
  lines: readonly Line[],
  places: readonly number[],
  reach: number,
): { line: Line; by: number } | undefined {
  let found: { line: Line; by: number } | undefined
  for (const place of places) {
    const next = firstFrom(lines, place)
    for (const line of [lines[next - 1], lines[next]]) {
      const by = line && line.at - place
      if (line && by !== undefined && Math.abs(by) <= Math.abs(found?.by ?? reach)) found = { line, by }
    }
  }
  return found
}

/** The index of the first line at or after the place. */
function firstFrom(lines: readonly Line[], place: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle] as Line).at < place) low = middle + 1
    else high = middle
  }
  return low
}
