/** Places a new node among the others, so that its connections are straight and it covers nothing. */
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { downstreamOf, graphOf } from '#contract/flow/document/graph.ts'
import { type Box, byId, nodeBox, type Point } from './boxes.ts'
import { type HandleRef, nodeHandles, type Scene } from './handles.ts'
import { isContainer, nodeSize } from './node-size.ts'

/** Between two connected nodes. */
export const GAP = 72
/** Between two nodes below each other. */
const BELOW = 28
/** So near a straight line, a connection becomes one. */
const ALMOST_STRAIGHT = 28

/** The place of a handle below the top of its node; of the first one without an id. */
function handleY(
  { kind }: Scene,
  node: FlowNode,
  { id, type }: { id?: string | null; type: 'source' | 'target' },
): number {
  const handles = nodeHandles(node, { flow: kind }).filter((handle) => handle.type === type)
  return (handles.find((handle) => handle.id === id) ?? handles[0])?.y ?? nodeSize(node).height / 2
}

const opposite = (type: HandleRef['type']) => (type === 'source' ? 'target' : 'source')

/**
 * Returns the place of a node connected to the handle `from`, in flow coordinates: where the line was dropped, or beside
 * the other node where nothing is covered.
 */
export function placeBeside(scene: Scene, node: FlowNode, { from, at }: { from: HandleRef; at: Point | null }): Point {
  const nodes = byId(scene.flow.nodes)
  const other = nodes.get(from.nodeId)
  if (!other) return at ?? { x: 0, y: 0 }
  const box = nodeBox(other, nodes)
  const { width } = nodeSize(node)
  const lineY = box.y + handleY(scene, other, { id: from.handleId, type: from.type })
  const ownY = handleY(scene, node, { type: opposite(from.type) })
  const xBeside = (right: number, left: number) => (from.type === 'source' ? right : left - width)
  if (at) {
    const y = Math.abs(at.y - lineY) < ALMOST_STRAIGHT ? lineY : at.y
    return rounded({ x: xBeside(at.x, at.x), y: y - ownY })
  }
  const place = { x: xBeside(box.x + box.width + GAP, box.x - GAP), y: lineY - ownY }
  return rounded(
    freeBelow(scene.flow, place, { ...node, ...(other.parentNode ? { parentNode: other.parentNode } : {}) }),
  )
}

/** Moves a place down until the node covers no other one in its container. */
function freeBelow(flow: FlowDocument, place: Point, node: FlowNode): Point {
  const size = nodeSize(node)
  const nodes = byId(flow.nodes)
  const boxes = flow.nodes
    .filter((each) => each.id !== node.id && each.parentNode === node.parentNode)
    .map((each) => nodeBox(each, nodes))
  const free = { ...place }
  const covered = () => boxes.find((box) => overlap(box, { ...free, ...size }))
  for (let box = covered(); box; box = covered()) free.y = box.y + box.height + BELOW
  return free
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width + BELOW / 2 &&
  b.x < a.x + a.width + BELOW / 2 &&
  a.y < b.y + b.height + BELOW / 2 &&
  b.y < a.y + a.height + BELOW / 2

const rounded = ({ x, y }: Point): Point => ({ x: Math.round(x), y })

/**
 * Makes room in a connection that leads to the right: what follows its target moves along, in the same container only.
 * @returns the document with the room, and the node's place in flow coordinates
 */
export function placeBetween(scene: Scene, node: FlowNode, edge: FlowEdge): { flow: FlowDocument; place: Point } {
  const { flow } = scene
  const nodes = byId(flow.nodes)
  const source = nodes.get(edge.source)
  const target = nodes.get(edge.target)
  if (!source || !target) return { flow, place: { x: 0, y: 0 } }
  const from = nodeBox(source, nodes)
  const to = nodeBox(target, nodes)
  const { width } = nodeSize(node)
  const right = from.x + from.width
  const short = right < to.x ? Math.max(0, width + 2 * GAP - (to.x - right)) : 0
  const leftY = from.y + handleY(scene, source, { id: edge.sourceHandle ?? null, type: 'source' })
  const rightY = to.y + handleY(scene, target, { id: edge.targetHandle ?? null, type: 'target' })
  const y = (leftY + rightY) / 2 - handleY(scene, node, { type: 'target' })
  const x = (right + to.x + short - width) / 2
  return { flow: short > 0 ? withRoom(flow, edge.target, short) : flow, place: rounded({ x, y }) }
}

/** Moves a node and what follows it to the right. */
function withRoom(flow: FlowDocument, first: string, by: number): FlowDocument {
  const after = downstreamOf(graphOf(flow), first)
  const from = flow.nodes.find(({ id }) => id === first)
  const moves = (node: FlowNode) =>
    node.id === first ||
    (after.has(node.id) && node.parentNode === from?.parentNode && node.position.x >= (from?.position.x ?? 0))
  const nodes = flow.nodes.map((node) =>
    moves(node) ? { ...node, position: { ...node.position, x: Math.round(node.position.x + by) } } : node,
  )
  return { ...flow, nodes }
}

/** Returns the container that a node's children would be in, undefined for none. */
export const containerOfNode = (flow: FlowDocument, id: string): FlowNode | undefined => {
  const parent = flow.nodes.find((node) => node.id === id)?.parentNode
  return flow.nodes.find((node) => node.id === parent && isContainer(node))
}
