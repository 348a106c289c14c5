/** Copies nodes beside the original or from the clipboard (spec section 2, canvas behaviour). */

import type { FlowDocument, FlowNode } from '../document/document.ts'
import { withDescendants } from '../document/graph.ts'
import type { FlowKind } from '../kinds/types.ts'
import { refused } from '../rules/verdict.ts'
import { type Clipboard, copyInto } from './copy.ts'

export type { Clipboard }

/** Pixels between a node and its duplicate. */
export const DUPLICATE_OFFSET = 50
/** The assumed width of a node that was never drawn. */
const USUAL_WIDTH = 200

/** Returns the copied part: the nodes, their descendants, and the edges between them. */
export function copyToClipboard(flow: FlowDocument, ids: Iterable<string>): Clipboard {
  const inside = withDescendants(flow.nodes, ids)
  const parents = new Map(flow.nodes.map((node) => [node.id, node]))
  return {
    nodes: flow.nodes
      .filter((node) => inside.has(node.id))
      .map((node) => (inside.has(node.parentNode ?? '') ? node : outOfParent(node, parents))),
    edges: flow.edges.filter((edge) => inside.has(edge.source) && inside.has(edge.target)),
  }
}

/**
 * Puts a copy of a node (a container with its content) 50 px beside it. Inputs that are a reference to another node are
 * dropped. Rejects nodes that a flow can have only once.
 */
export function duplicateNode(
  flow: FlowDocument,
  id: string,
  kind: FlowKind,
): { ok: true; flow: FlowDocument; nodeId: string } | { ok: false; reason: string } {
  const original = flow.nodes.find((node) => node.id === id)
  if (!original) return refused('This node is no longer on the canvas.')
  const placement = kind.checkPlacement(flow, original.data)
  if (!placement.ok) return placement
  const inside = withDescendants(flow.nodes, [id])
  const nodes = flow.nodes.filter((node) => inside.has(node.id))
  const edges = flow.edges.filter((edge) => inside.has(edge.source) && inside.has(edge.target))
  const x = original.position.x + (original.width ?? USUAL_WIDTH) + DUPLICATE_OFFSET
  const beside = nodes.map((node) => (node === original ? { ...node, position: { ...node.position, x } } : node))
  const copied = copyInto(flow, { nodes: beside, edges }, { kind, dropOthers: true })
  return { ok: true, flow: copied.flow, nodeId: copied.ids[nodes.indexOf(original)] as string }
}

/**
 * Adds copies of the clipboard's nodes and the edges between them, with the group's top left corner at `position`.
 * References between the copies are renamed, others stay. Leaves out nodes that cannot be placed. `ids` are the copies'
 * ids in the order of the pasted nodes.
 */
export function pasteNodes(
  flow: FlowDocument,
  clipboard: Clipboard,
  { kind, position }: { kind: FlowKind; position: { x: number; y: number } },
) {
  const nodes = clipboard.nodes.filter((node) => kind.checkPlacement(flow, node.data).ok)
  const ids = new Set(nodes.map((node) => node.id))
  const roots = nodes.filter((node) => !ids.has(node.parentNode ?? ''))
  const left = roots.reduce((least, node) => Math.min(least, node.position.x), Number.POSITIVE_INFINITY)
  const top = roots.reduce((least, node) => Math.min(least, node.position.y), Number.POSITIVE_INFINITY)
  const placed = nodes.map((node) => {
    if (ids.has(node.parentNode ?? '')) return node
    return { ...node, position: { x: position.x + node.position.x - left, y: position.y + node.position.y - top } }
  })
  return copyInto(flow, { nodes: placed, edges: clipboard.edges }, { kind, dropOthers: false })
}

/** A node that is copied without its container gets a position on the canvas. */
function outOfParent(node: FlowNode, parents: ReadonlyMap<string, FlowNode>): FlowNode {
  const parent = parents.get(node.parentNode ?? '')
  if (!parent) return node
  const { parentNode: _parentNode, extent: _extent, ...rest } = node
  const position = { x: parent.position.x + node.position.x, y: parent.position.y + node.position.y }
  return { ...rest, position } as FlowNode
}
