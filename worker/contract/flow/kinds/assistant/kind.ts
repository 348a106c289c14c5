/** The flow that a custom assistant runs as: Start, then one Agent, drawn from the assistant's details. */

import { agentflow } from '../agentflow/kind.ts'
import type { CheckedFlowKind } from '../types.ts'
import { assistantFacts } from './facts.ts'

export const assistant: CheckedFlowKind = {
  ...agentflow,
  ...assistantFacts,
  // Its nodes are those of agent flows.
  ownsNode: () => false,
}
