/** Removes nodes and edges with everything that depends on them. */

import type { FlowKind } from '../kinds/types.ts'
import { findReferences, mapTexts, wholeReference } from '../references/references.ts'
import type { FlowDocument, FlowEdge, FlowNode } from './document.ts'
import { withDescendants } from './graph.ts'

/**
 * Removes nodes, their descendants and their edges. Inputs that consist of a reference to one of them become empty;
 * references within longer texts stay, and the checklist reports them.
 */
export function removeNodes(flow: FlowDocument, ids: Iterable<string>, kind: FlowKind): FlowDocument {
  const gone = withDescendants(flow.nodes, ids)
  const [lost, edges] = split(flow.edges, (edge) => gone.has(edge.source) || gone.has(edge.target))
  const kept = flow.nodes.filter((node) => !gone.has(node.id))
  return { ...flow, nodes: clearLinks(kept, lost, kind).map((node) => clearReferences(node, gone, kind)), edges }
}

/** Removes edges, and the links that inputs contain for them. */
export function removeEdges(flow: FlowDocument, ids: Iterable<string>, kind: FlowKind): FlowDocument {
  const gone = new Set(ids)
  const [lost, edges] = split(flow.edges, (edge) => gone.has(edge.id))
  return { ...flow, nodes: clearLinks(flow.nodes, lost, kind), edges }
}

function split(edges: readonly FlowEdge[], test: (edge: FlowEdge) => boolean): [FlowEdge[], FlowEdge[]] {
  const { yes = [], no = [] } = Object.groupBy(edges, (edge) => (test(edge) ? 'yes' : 'no'))
  return [yes, no]
}

function clearLinks(nodes: readonly FlowNode[], lost: readonly FlowEdge[], kind: FlowKind): FlowNode[] {
  const byTarget = Map.groupBy(lost, (edge) => edge.target)
  return nodes.map((node) => (byTarget.get(node.id) ?? []).reduce(kind.unlinkInput, node))
}

function clearReferences(node: FlowNode, gone: ReadonlySet<string>, kind: FlowKind): FlowNode {
  const kept = gone.has(kind.jumpTarget(node) ?? '') ? kind.withJumpTarget(node, undefined) : node
  const { inputs } = kept.data
  if (!inputs || !findReferences(inputs).some(({ reference }) => gone.has(reference.root))) return kept
  const cleared = mapTexts(inputs, (text) => (gone.has(wholeReference(text)?.root ?? '') ? '' : text))
  return { ...kept, data: { ...kept.data, inputs: cleared as typeof inputs } }
}
