import { drawnChatflow } from '#contract/flow/kinds/chatflow/drawn.ts'
import { isDecision } from '#contract/flow/kinds/chatflow/endings.ts'
import type { CanvasKind } from '../types.ts'

/** Returns which way of a decision the edge is; '' for all others. */
export const edgeLabel: CanvasKind['edgeLabel'] = ({ sourceHandle }, source) => {
  if (!isDecision(source.data)) return ''
  const key = drawnChatflow.handleKey(sourceHandle ?? '')
  return drawnChatflow.ports(source).outputs.find(({ id }) => drawnChatflow.handleKey(id) === key)?.label ?? ''
}
