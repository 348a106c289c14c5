import type { FlowDocument } from '#contract/flow/document/document.ts'
import { drawnChatflow } from '#contract/flow/kinds/chatflow/drawn.ts'

/** True while the flow holds no node but those of a new one. */
export const isUntouched = ({ nodes }: FlowDocument): boolean =>
  nodes.length <= drawnChatflow.firstNodes.length &&
  nodes.every(({ data }) => drawnChatflow.firstNodes.some(({ name }) => name === data.name))
