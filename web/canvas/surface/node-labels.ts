/** Labels of nodes and edges. */
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { isErrorHandle } from '#contract/flow/params/run-policy.ts'
import type { NodeNames } from '#contract/flow/references/reference-names.ts'
import type { CanvasKind } from '../kinds/types.ts'

/** Returns the node's type in words: `HumanInput` → "Human Input". */
export const typeLabel = ({ type, name }: FlowNode['data']): string =>
  (type ?? name).replace(/([a-z])([A-Z])/g, '$1 $2')

/** Returns '' for an edge without a label. */
export const edgeLabel = (edge: FlowEdge, source: FlowNode, kind: Pick<CanvasKind, 'edgeLabel'>): string =>
  isErrorHandle(edge.sourceHandle) ? 'On error' : kind.edgeLabel(edge, source)

const names = new WeakMap<FlowDocument['nodes'], NodeNames>()
let latest: NodeNames = new Map()

/** Returns the same names while no label changes: moving nodes renders no text again. */
export function nodeNames({ nodes }: FlowDocument): NodeNames {
  const known = names.get(nodes) ?? (isNamed(nodes, latest) ? latest : namesOf(nodes))
  names.set(nodes, known)
  latest = known
  return known
}

const namesOf = (nodes: FlowDocument['nodes']): NodeNames => new Map(nodes.map(({ id, data }) => [id, data.label]))

const isNamed = (nodes: FlowDocument['nodes'], by: NodeNames): boolean =>
  nodes.length === by.size && nodes.every(({ id, data }) => by.get(id) === data.label)
