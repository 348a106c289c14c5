import type { FlowDocument } from '#contract/flow/document/document.ts'
import { chatflow } from '#contract/flow/kinds/chatflow/kind.ts'

/** True while the flow holds no node but those of a new one. */
export const isUntouched = ({ nodes }: FlowDocument): boolean =>
  nodes.length <= chatflow.firstNodes.length &&
  nodes.every(({ data }) => chatflow.firstNodes.some(({ name }) => name === data.name))
