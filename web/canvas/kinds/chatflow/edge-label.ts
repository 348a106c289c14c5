import { isDecision } from '#contract/flow/kinds/chatflow/endings.ts'
import { chatflow } from '#contract/flow/kinds/chatflow/kind.ts'
import type { CanvasKind } from '../types.ts'

/** Returns which way of a decision the edge is; '' for all others. */
export const edgeLabel: CanvasKind['edgeLabel'] = ({ sourceHandle }, source) => {
  if (!isDecision(source.data)) return ''
  const key = chatflow.handleKey(sourceHandle ?? '')
  return chatflow.ports(source).outputs.find(({ id }) => chatflow.handleKey(id) === key)?.label ?? ''
}
