/** Nodes that hold other nodes: moves into and out of them, and the size that children need. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import { allowed, refused, type Verdict } from '#contract/flow/rules/verdict.ts'
import { type Box, byId, nodeAt, nodeBox, type Point } from './boxes.ts'
import { isContainer, nodeSize, type Size } from './node-size.ts'

/** Space around the children; the top has the header. */
export const PADDING = { left: 16, top: 52, right: 16, bottom: 16 }
const GAP = 24
const BESIDE = 48

export const childrenOf = (flow: FlowDocument, id: string): FlowNode[] =>
  flow.nodes.filter((node) => node.parentNode === id)

/** Returns the topmost container at this point. */
export function containerAt(flow: FlowDocument, at: Point): FlowNode | undefined {
  return nodeAt(flow.nodes.filter(isContainer), at)
}

/** Returns the nodes without those whose container is among them. */
export function rootsOf(flow: FlowDocument, ids: Iterable<string>): FlowNode[] {
  const moving = new Set(ids)
  return flow.nodes.filter((node) => moving.has(node.id) && !moving.has(node.parentNode ?? ''))
}

/** Checks whether the nodes may move inside `parent`; undefined means outside of every container. */
export function checkMove(
  flow: FlowDocument,
  ids: Iterable<string>,
  { parent, kind }: { parent: string | undefined; kind: FlowKind },
): Verdict {
  const moving = new Set(ids)
  const staying = { nodes: flow.nodes.filter((node) => !moving.has(node.id)) }
  for (const { data } of rootsOf(flow, moving)) {
    const verdict = kind.checkPlacement(staying, data, parent)
    if (!verdict.ok) return verdict
  }
  const nodes = byId(flow.nodes)
  const crossing = flow.edges.find((edge) => {
    if (moving.has(edge.source) === moving.has(edge.target)) return false
    const other = nodes.get(moving.has(edge.source) ? edge.target : edge.source)
    return other !== undefined && other.parentNode !== parent
  })
  if (!crossing) return allowed
  const [own, other] = moving.has(crossing.source)
    ? [crossing.source, crossing.target]
    : [crossing.target, crossing.source]
  const label = (id: string) => nodes.get(id)?.data.label || id
  const border = parent ?? nodes.get(own)?.parentNode ?? ''
  return refused(
    `${label(own)} is connected to ${label(other)}. Remove that connection first: none can cross the border of ${label(border)}.`,
  )
}

/**
 * The flow with these nodes inside `parent`, or outside of every container. They stay where they are on the canvas,
 * moved only as far as the container's border asks for; the container grows when it is too small.
 */
export function moveInto(flow: FlowDocument, ids: Iterable<string>, parent: string | undefined): FlowDocument {
  const nodes = byId(flow.nodes)
  const container = parent === undefined ? undefined : nodes.get(parent)
  const corner = container ? nodeBox(container, nodes) : { x: 0, y: 0 }
  const moving = new Set(rootsOf(flow, ids).map((node) => node.id))
  const moved = flow.nodes.map((node): FlowNode => {
    if (!moving.has(node.id)) return node
    const { x, y } = nodeBox(node, nodes)
    const { parentNode: _parentNode, extent: _extent, positionAbsolute: _absolute, ...rest } = node
    const place = { x: Math.round(x - corner.x), y: Math.round(y - corner.y) }
    if (!container) return { ...rest, position: place } as FlowNode
    return { ...rest, position: atLeast(place), parentNode: container.id, extent: 'parent' } as FlowNode
  })
  const after = { ...flow, nodes: moved }
  return container ? grown(after, container.id) : after
}

/** Moves a node below a container's other children, or beside the container that it leaves. */
export function moveToFreePlace(flow: FlowDocument, id: string, parent: string | undefined): FlowDocument {
  const nodes = byId(flow.nodes)
  const node = nodes.get(id)
  if (!node) return flow
  const left = nodes.get(node.parentNode ?? '')
  const container = parent === undefined ? undefined : nodes.get(parent)
  const after = moveInto(flow, [id], parent)
  const bottom = (box: { position: Point } & Size) => box.position.y + box.height
  const lowest = Math.max(
    PADDING.top - GAP,
    ...childrenOf(flow, parent ?? '').map((child) => bottom({ ...child, ...nodeSize(child) })),
  )
  const beside = left && nodeBox(left, nodes)
  const position = container
    ? { x: PADDING.left, y: lowest + GAP }
    : { x: (beside?.x ?? 0) + (beside?.width ?? 0) + BESIDE, y: beside?.y ?? 0 }
  const placed = { ...after, nodes: after.nodes.map((each) => (each.id === id ? { ...each, position } : each)) }
  return container ? grown(placed, container.id) : placed
}

/** Returns the flow with a container large enough for its children. */
export function grown(flow: FlowDocument, id: string): FlowDocument {
  const container = flow.nodes.find((node) => node.id === id)
  if (!container) return flow
  const size = nodeSize(container)
  const needed = neededSize(childrenOf(flow, id))
  const width = Math.max(size.width, needed.width)
  const height = Math.max(size.height, needed.height)
  if (width === size.width && height === size.height) return flow
  return { ...flow, nodes: flow.nodes.map((node) => (node === container ? withSize(node, { width, height }) : node)) }
}

/** Returns the smallest size that shows all children. */
export function neededSize(children: readonly FlowNode[]): Size {
  const boxes = children.map((child) => ({ ...child.position, ...nodeSize(child) }))
  return {
    width: Math.max(0, ...boxes.map((box) => box.x + box.width + PADDING.right)),
    height: Math.max(0, ...boxes.map((box) => box.y + box.height + PADDING.bottom)),
  }
}

export const withSize = (node: FlowNode, { width, height }: Size): FlowNode => ({
  ...node,
  width,
  height,
  style: { ...(node.style as object | undefined), width, height },
})

/** Checks that no child ends up outside of the container's new box, in its parent's coordinates. */
export function canResize(flow: FlowDocument, id: string, box: Box): boolean {
  const container = flow.nodes.find((node) => node.id === id)
  if (!container) return false
  const dx = box.x - container.position.x
  const dy = box.y - container.position.y
  return childrenOf(flow, id).every((child) => {
    const { width, height } = nodeSize(child)
    const x = child.position.x - dx
    const y = child.position.y - dy
    return x >= 0 && y >= PADDING.top - GAP && x + width <= box.width && y + height <= box.height
  })
}

/** Returns the position moved inside the node's container; unchanged for nodes without one. */
export function heldInside(flow: FlowDocument, node: FlowNode, to: Point): Point {
  const container = node.parentNode ? flow.nodes.find((each) => each.id === node.parentNode) : undefined
  if (!container) return to
  const room = nodeSize(container)
  const { width, height } = nodeSize(node)
  return atLeast({
    x: Math.min(to.x, room.width - PADDING.right - width),
    y: Math.min(to.y, room.height - PADDING.bottom - height),
  })
}

const atLeast = ({ x, y }: Point): Point => ({ x: Math.max(PADDING.left, x), y: Math.max(PADDING.top, y) })
