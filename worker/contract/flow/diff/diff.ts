/** Compares two documents of a flow, and merges both into one for display on one canvas. */

import type { FlowDocument, FlowEdge, FlowNode } from '../document/document.ts'
import { exportFlow } from '../document/serialize.ts'
import type { FlowKind } from '../kinds/types.ts'
import type { ComponentDefinition } from '../params/definition.ts'
import { componentsByName } from '../params/params.ts'
import { type Change, nodeChanges } from './diff-node.ts'

export type { Change }

export type Mark = 'added' | 'removed' | 'changed'

interface NodeDiff {
  nodeId: string
  /** The node's label; for a changed node, the later one. */
  label: string
  mark: Mark
  /** Empty for nodes that were added or removed. */
  changes: Change[]
}

interface EdgeDiff {
  /** The edge's id in the merged document. */
  edgeId: string
  source: string
  target: string
  /** `LLM 0 → Direct Reply 0` */
  label: string
  mark: 'added' | 'removed'
}

export interface FlowDiff {
  /** Nodes that differ, in the merged document's order. */
  nodes: NodeDiff[]
  edges: EdgeDiff[]
  /** The later document, with removed nodes and edges in their former places. */
  merged: FlowDocument
  /** By id of a node or an edge of the merged document. */
  marks: ReadonlyMap<string, Mark>
}

/**
 * Compares everything that a person can change: nodes, edges, and each node's inputs, label, position and policy. Never
 * returns values of secrets. `components` are all components that a node can use.
 */
export function diffFlows(
  before: FlowDocument,
  after: FlowDocument,
  { components, kind }: { components: Iterable<ComponentDefinition>; kind: FlowKind },
): FlowDiff {
  const merged = mergeFlows(before, after)
  const nodes = diffNodes([before, after], merged, { components: [...components], kind })
  const edges = diffEdges([before, after], merged)
  const marks = new Map<string, Mark>([
    ...nodes.map(({ nodeId, mark }) => [nodeId, mark] as const),
    ...edges.map(({ edgeId, mark }) => [edgeId, mark] as const),
  ])
  return { nodes, edges, merged, marks }
}

/** Edges between the same outputs and inputs are equal, whatever their ids. */
const keyOf = ({ source, sourceHandle, target, targetHandle }: FlowEdge) =>
  JSON.stringify([source, sourceHandle ?? '', target, targetHandle ?? target])

function mergeFlows(before: FlowDocument, after: FlowDocument): FlowDocument {
  const nodeIds = new Set(after.nodes.map(({ id }) => id))
  const edgeKeys = new Set(after.edges.map(keyOf))
  const usedIds = new Set(after.edges.map(({ id }) => id))
  const goneEdges = before.edges
    .filter((edge) => !edgeKeys.has(keyOf(edge)))
    .map((edge) => (usedIds.has(edge.id) ? { ...edge, id: `${edge.id}-before` } : edge))
  return {
    ...after,
    nodes: [...after.nodes, ...before.nodes.filter(({ id }) => !nodeIds.has(id))],
    edges: [...after.edges, ...goneEdges],
  }
}

function diffNodes(
  [before, after]: [FlowDocument, FlowDocument],
  merged: FlowDocument,
  { components, kind }: { components: ComponentDefinition[]; kind: FlowKind },
): NodeDiff[] {
  const definitions = componentsByName(components)
  const old = toSides(before, components)
  const now = toSides(after, components)
  return merged.nodes.flatMap((node): NodeDiff[] => {
    const about = { nodeId: node.id, label: node.data.label || node.id }
    const [from, to] = [old.get(node.id), now.get(node.id)]
    if (!from) return [{ ...about, mark: 'added', changes: [] }]
    if (!to) return [{ ...about, mark: 'removed', changes: [] }]
    const changes = nodeChanges(from, to, { definitions, kind })
    return changes.length > 0 ? [{ ...about, mark: 'changed', changes }] : []
  })
}

/** Returns each node with its visible part and the label of its container. */
function toSides(flow: FlowDocument, components: ComponentDefinition[]) {
  const labels = new Map(flow.nodes.map(({ id, data }) => [id, data.label]))
  const shown = exportFlow(flow, components).nodes
  return new Map(
    flow.nodes.map((node, index) => [
      node.id,
      { node, shown: shown[index] as FlowNode, container: labels.get(node.parentNode ?? '') ?? '', labels },
    ]),
  )
}

function diffEdges([before, after]: [FlowDocument, FlowDocument], merged: FlowDocument): EdgeDiff[] {
  const old = new Set(before.edges.map(keyOf))
  const now = new Set(after.edges.map(keyOf))
  const labels = new Map(merged.nodes.map(({ id, data }) => [id, data.label || id]))
  return merged.edges.flatMap((edge): EdgeDiff[] => {
    const key = keyOf(edge)
    if (old.has(key) && now.has(key)) return []
    const { id: edgeId, source, target } = edge
    const label = `${labels.get(source) ?? source} → ${labels.get(target) ?? target}`
    return [{ edgeId, source, target, label, mark: now.has(key) ? 'added' : 'removed' }]
  })
}
