/** Connections as curves, for what is drawn over them and for the one under the pointer. */

import { byId, nodeBox, type Point } from '../geometry/boxes.ts'
import { nodeHandles, type Scene } from '../geometry/handles.ts'

export interface Curve {
  id: string
  from: Point
  to: Point
}

/** Returns the curves of all connections that have both ends. */
export function computeCurves({ flow, kind }: Scene): Curve[] {
  const nodes = byId(flow.nodes)
  const places = new Map<string, Map<string, Point>>()
  const handlesOf = (id: string) => {
    const known = places.get(id)
    const node = nodes.get(id)
    if (known || !node) return known
    const box = nodeBox(node, nodes)
    const made = new Map(
      nodeHandles(node, { flow: kind }).map(({ id: handle, x, y }) => [handle, { x: box.x + x, y: box.y + y }]),
    )
    places.set(id, made)
    return made
  }
  return flow.edges.flatMap(({ id, source, target, sourceHandle, targetHandle }) => {
    const from = handlesOf(source)?.get(sourceHandle ?? '')
    const to = handlesOf(target)?.get(targetHandle ?? '')
    return from && to ? [{ id, from, to }] : []
  })
}

/** Returns how far the curve reaches beyond its ends, in flow pixels. */
const bend = ({ from, to }: Curve): number => (to.x >= from.x ? (to.x - from.x) / 2 : 6.25 * Math.sqrt(from.x - to.x))

export function pathOf(curve: Curve): string {
  const { from, to } = curve
  const by = bend(curve)
  return `M${from.x},${from.y} C${from.x + by},${from.y} ${to.x - by},${to.y} ${to.x},${to.y}`
}

export const middleOf = ({ from, to }: Curve): Point => ({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })

/** So many straight pieces stand for a curve. */
const PIECES = 16

/** Returns the nearest curve within reach of the point. */
export function curveAt(curves: readonly Curve[], point: Point, reach: number): Curve | undefined {
  let nearest: Curve | undefined
  let best = reach
  for (const curve of curves) {
    if (!isNear(curve, point, reach)) continue
    const away = distance(curve, point)
    if (away > best) continue
    best = away
    nearest = curve
  }
  return nearest
}

function isNear(curve: Curve, { x, y }: Point, reach: number): boolean {
  const { from, to } = curve
  const by = bend(curve) + reach
  return (
    x >= Math.min(from.x, to.x - by) - reach &&
    x <= Math.max(to.x, from.x + by) + reach &&
    y >= Math.min(from.y, to.y) - reach &&
    y <= Math.max(from.y, to.y) + reach
  )
}

function distance(curve: Curve, point: Point): number {
  const { from, to } = curve
  const by = bend(curve)
  const at = (t: number): Point => {
    const u = 1 - t
    const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
    return {
      x: a * from.x + b * (from.x + by) + c * (to.x - by) + d * to.x,
      y: (a + b) * from.y + (c + d) * to.y,
    }
  }
  let least = Number.POSITIVE_INFINITY
  let before = from
  for (let piece = 1; piece <= PIECES; piece++) {
    const next = at(piece / PIECES)
    least = Math.min(least, toSegment(before, next, point))
    before = next
  }
  return least
}

function toSegment(a: Point, b: Point, p: Point): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length))
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy)
}
