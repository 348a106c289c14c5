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
  const nodes = clearLinks(kept, lost, kind)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return {
    ...flow,
    nodes: nodes.map((node) => clearReferences(clearBackEdges(node, { gone, byId, kind }), gone)),
    edges,
  }
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

interface Removal {
  gone: ReadonlySet<string>
  /** The nodes that stay. */
  byId: ReadonlyMap<string, FlowNode>
  kind: FlowKind
}

function clearBackEdges(node: FlowNode, { gone, byId, kind }: Removal): FlowNode {
  const edges = kind.backEdges(node)
  const kept = edges.filter(({ target }) => !gone.has(target))
  return kept.length < edges.length ? kind.withBackEdges(node, kept, byId) : node
}

function clearReferences(node: FlowNode, gone: ReadonlySet<string>): FlowNode {
  const { inputs } = node.data
  if (!inputs || !findReferences(inputs).some(({ reference }) => gone.has(reference.root))) return node
  const cleared = mapTexts(inputs, (text) => (gone.has(wholeReference(text)?.root ?? '') ? '' : text))
  return { ...node, data: { ...node.data, inputs: cleared as typeof inputs } }
}
