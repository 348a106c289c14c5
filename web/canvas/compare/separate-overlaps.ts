/** Moves removed nodes apart from others while two documents are compared. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { type Box, boundsOf, byId, nodeBox } from '../geometry/boxes.ts'
import type { Marks } from '../store/store.ts'

const GAP = 80

/** Returns the flow with removed nodes below the others if any of them overlaps. */
export function separateOverlaps(flow: FlowDocument, marks: Marks): FlowDocument {
  const all = byId(flow.nodes)
  const isGone = ({ id }: FlowNode) => marks.get(id) === 'removed'
  const isOutside = ({ parentNode }: FlowNode) => !parentNode || !all.has(parentNode)
  const boxesOf = (nodes: readonly FlowNode[]) => nodes.map((node) => nodeBox(node, all))
  const gone = flow.nodes.filter((node) => isGone(node) && isOutside(node))
  const kept = flow.nodes.filter((node) => !isGone(node) && isOutside(node))
  const [goneBoxes, keptBoxes] = [boxesOf(gone), boxesOf(kept)]
  const [above, below] = [boundsOf(keptBoxes), boundsOf(goneBoxes)]
  if (!above || !below || !goneBoxes.some((box) => keptBoxes.some((other) => overlap(box, other)))) return flow
  const down = above.y + above.height + GAP - below.y
  const moved = new Set(gone)
  const nodes = flow.nodes.map((node) =>
    moved.has(node) ? { ...node, position: { x: node.position.x, y: node.position.y + down } } : node,
  )
  return { ...flow, nodes }
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
