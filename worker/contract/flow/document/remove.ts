/** Taking nodes and edges away, with everything that hung on them (spec section 2, canvas behaviour). */

import { findReferences, mapTexts, wholeReference } from '../references/references.ts'
import { inputAt, inputReference } from './connect.ts'
import type { FlowDocument, FlowEdge, FlowNode } from './document.ts'
import { withDescendants } from './graph.ts'
import { loopTarget } from './loop.ts'

/**
 * Removes nodes, what lies inside of them, and their edges; inputs of the remaining nodes that were a reference to
 * one of them become empty. Mentions in longer texts stay for the person to reword; the checklist shows them.
 */
export function removeNodes(flow: FlowDocument, ids: Iterable<string>): FlowDocument {
  const gone = withDescendants(flow.nodes, ids)
  const [lost, edges] = split(flow.edges, (edge) => gone.has(edge.source) || gone.has(edge.target))
  const kept = flow.nodes.filter((node) => !gone.has(node.id))
  return { ...flow, nodes: clearLinks(kept, lost).map((node) => clearReferences(node, gone)), edges }
}

/** Removes edges; a classic input that was linked by one becomes free. */
export function removeEdges(flow: FlowDocument, ids: Iterable<string>): FlowDocument {
  const gone = new Set(ids)
  const [lost, edges] = split(flow.edges, (edge) => gone.has(edge.id))
  return { ...flow, nodes: clearLinks(flow.nodes, lost), edges }
}

function split(edges: readonly FlowEdge[], test: (edge: FlowEdge) => boolean): [FlowEdge[], FlowEdge[]] {
  const { yes = [], no = [] } = Object.groupBy(edges, (edge) => (test(edge) ? 'yes' : 'no'))
  return [yes, no]
}

function clearLinks(nodes: readonly FlowNode[], lost: readonly FlowEdge[]): FlowNode[] {
  const byTarget = Map.groupBy(lost, (edge) => edge.target)
  return nodes.map((node) => (byTarget.get(node.id) ?? []).reduce(clearLink, node))
}

function clearLink(node: FlowNode, edge: FlowEdge): FlowNode {
  const input = inputAt(node, edge.targetHandle)
  if (!input) return node
  const before = node.data.inputs?.[input.name]
  const reference = inputReference(edge.source)
  const after = Array.isArray(before)
    ? before.filter((item) => item !== reference)
    : typeof before === 'string'
      ? before.split(reference).join('')
      : before
  return withInputs(node, { ...node.data.inputs, [input.name]: after })
}

function clearReferences(node: FlowNode, gone: ReadonlySet<string>): FlowNode {
  const { inputs } = node.data
  if (!inputs) return node
  const loopsToGone = gone.has(loopTarget(node) ?? '')
  if (!loopsToGone && !findReferences(inputs).some(({ reference }) => gone.has(reference.root))) return node
  const cleared = mapTexts(inputs, (text) => (gone.has(wholeReference(text)?.root ?? '') ? '' : text))
  return withInputs(node, { ...(cleared as typeof inputs), ...(loopsToGone ? { loopBackToNode: '' } : {}) })
}

function withInputs(node: FlowNode, inputs: Record<string, unknown>): FlowNode {
  return { ...node, data: { ...node.data, inputs } }
}
