/** Positions of nodes, in flow coordinates. */
import type { FlowNode } from '#contract/flow/document/document.ts'
import { nodeSize, type Size } from './node-size.ts'

/** A type, not an interface, so that it is assignable to the document's loose position. */
export type Point = { x: number; y: number }

export interface Box extends Size {
  x: number
  y: number
}

/** Returns the node's box in flow coordinates. A child's position is relative to its container. */
export function nodeBox(node: FlowNode, byId: ReadonlyMap<string, FlowNode>): Box {
  const parent = node.parentNode ? byId.get(node.parentNode) : undefined
  const origin = parent ? nodeBox(parent, byId) : { x: 0, y: 0 }
  return { x: origin.x + node.position.x, y: origin.y + node.position.y, ...nodeSize(node) }
}

/** Returns the topmost node at this point. */
export function nodeAt(nodes: readonly FlowNode[], { x, y }: Point): FlowNode | undefined {
  const all = byId(nodes)
  return nodes.findLast((node) => {
    const box = nodeBox(node, all)
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height
  })
}

export const byId = (nodes: readonly FlowNode[]): ReadonlyMap<string, FlowNode> =>
  new Map(nodes.map((node) => [node.id, node]))

/** Returns the smallest box around all boxes, null for none. */
export function boundsOf(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}
