/** The kinds of flows on the canvas, by flow type. */
import type { CanvasFlowType } from '#contract/flow/kinds/facts.ts'
import { agentflowKind } from './agentflow/index.ts'
import { chatflowKind } from './chatflow/index.tsx'
import type { CanvasKind } from './types.ts'

export const CANVAS_KINDS: Readonly<Record<CanvasFlowType, CanvasKind>> = {
  AGENTFLOW: agentflowKind,
  CHATFLOW: chatflowKind,
}
