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

export function nodeNames({ nodes }: FlowDocument): NodeNames {
  const known = names.get(nodes) ?? new Map(nodes.map(({ id, data }) => [id, data.label]))
  names.set(nodes, known)
  return known
}
