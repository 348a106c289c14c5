import type { FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { outputLabel } from '#contract/flow/kinds/agentflow/connections.ts'
import { HUMAN_INPUT } from '#contract/flow/kinds/agentflow/nodes.ts'
import { outputsOf } from '../../geometry/node-size.ts'

/** Returns the label in the file, or the output's own where the file has a number. */
export function edgeLabel(edge: FlowEdge, source: FlowNode): string {
  const label = edge.data?.edgeLabel
  if (typeof label !== 'string' || label === '') return ''
  if (!/^\d+$/.test(label) && source.data.name !== HUMAN_INPUT) return label
  const index = outputsOf(source).findIndex((anchor) => anchor.id === edge.sourceHandle)
  return index < 0 ? label : outputLabel(source, index)
}
