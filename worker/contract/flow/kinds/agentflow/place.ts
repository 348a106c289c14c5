/** Lays out nodes from left to right along their edges. Kept nodes do not move. Pure. */
import type { FlowDocument, FlowNode } from '../../document/document.ts'
import { graphOf, incomers, topologicalOrder } from '../../document/graph.ts'
import { isStickyNote } from '../../document/sticky-note.ts'
import { ITERATION } from './nodes.ts'

const NODE = { width: 240, height: 90 }
const GAP = { x: 80, y: 50 }
/** Padding of a container around its children; its header is at the top. */
const PADDING = { left: 30, top: 80, right: 30, bottom: 30 }
const MIN_CONTAINER = { width: 300, height: 250 }

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** @param kept ids of nodes that stay where they are */
export function layOut(flow: FlowDocument, kept: ReadonlySet<string>): FlowDocument {
  const containers = flow.nodes.filter(({ data }) => data.name === ITERATION)
  const inside = containers.reduce((now, { id }) => fitContainer(placeLevel(now, id, kept), id, kept), flow)
  return placeLevel(inside, undefined, kept)
}

function placeLevel(flow: FlowDocument, parent: string | undefined, kept: ReadonlySet<string>): FlowDocument {
  const level = flow.nodes.filter((node) => node.parentNode === parent && !isStickyNote(node.data))
  const corner = parent === undefined ? { x: 0, y: 0 } : { x: PADDING.left, y: PADDING.top }
  const boxes = new Map(level.filter(({ id }) => kept.has(id)).map((node) => [node.id, boxOf(node)]))
  const graph = graphOf({
    nodes: level,
    edges: flow.edges.filter(
      (edge) => level.some(({ id }) => id === edge.source) && level.some(({ id }) => id === edge.target),
    ),
  })
  const { order, rest } = topologicalOrder(graph)
  for (const id of [...order, ...rest]) {
    if (boxes.has(id)) continue
    const before = incomers(graph, id).flatMap((source) => boxes.get(source) ?? [])
    const x = before.length > 0 ? Math.max(...before.map((box) => box.x + box.width)) + GAP.x : corner.x
    const y = before[0]?.y ?? corner.y
    boxes.set(id, moveBelow({ x, y, ...sizeOf(graph.nodes.get(id) as FlowNode) }, [...boxes.values()]))
  }
  const nodes = flow.nodes.map((node) => {
    const box = kept.has(node.id) ? undefined : boxes.get(node.id)
    return box ? { ...node, position: { x: box.x, y: box.y } } : node
  })
  return { ...flow, nodes }
}

/** Returns the box, moved down until it overlaps none of the others. */
function moveBelow(box: Box, others: Box[]): Box {
  const hit = others.find((other) => overlaps(box, other))
  return hit ? moveBelow({ ...box, y: hit.y + hit.height + GAP.y }, others) : box
}

function overlaps(a: Box, b: Box): boolean {
  const isBefore = (from: number, size: number, other: number) => from + size <= other
  return !(
    isBefore(a.x, a.width, b.x) ||
    isBefore(b.x, b.width, a.x) ||
    isBefore(a.y, a.height, b.y) ||
    isBefore(b.y, b.height, a.y)
  )
}

/** Grows the container around its children; a kept one never shrinks. */
function fitContainer(flow: FlowDocument, id: string, kept: ReadonlySet<string>): FlowDocument {
  const children = flow.nodes.filter((node) => node.parentNode === id).map(boxOf)
  const needed = {
    width: Math.max(MIN_CONTAINER.width, ...children.map((box) => box.x + box.width + PADDING.right)),
    height: Math.max(MIN_CONTAINER.height, ...children.map((box) => box.y + box.height + PADDING.bottom)),
  }
  const nodes = flow.nodes.map((node) => {
    if (node.id !== id) return node
    const own = kept.has(id) ? sizeOf(node) : MIN_CONTAINER
    const size = { width: Math.max(own.width, needed.width), height: Math.max(own.height, needed.height) }
    const style = { ...(node.style as object | undefined), ...size }
    return { ...node, ...size, style }
  })
  return { ...flow, nodes }
}

const sizeOf = ({ width, height }: FlowNode) => ({ width: width ?? NODE.width, height: height ?? NODE.height })
const boxOf = (node: FlowNode): Box => ({ ...node.position, ...sizeOf(node) })
