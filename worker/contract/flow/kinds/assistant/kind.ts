/** The flow that a custom assistant runs as: Start, then one Agent, drawn from the assistant's details. */

import { agentflow } from '../agentflow/kind.ts'
import type { CheckedFlowKind } from '../types.ts'

export const assistant: CheckedFlowKind = {
  ...agentflow,
  type: 'ASSISTANT',
  label: 'Assistant',
  newName: 'New assistant',
  fileSuffix: 'Assistant',
  // Its nodes are those of agent flows.
  ownsNode: () => false,
}
