/** Chat flows with the rules of their checklist. */
import type { CheckedFlowKind } from '../types.ts'
import { drawnChatflow } from './drawn.ts'
import { multiagentFacts } from './facts.ts'
import { checksInput, flowProblems, inputProblems, structureProblems } from './problems.ts'

export const chatflow: CheckedFlowKind = {
  ...drawnChatflow,
  structureProblems,
  inputProblems,
  checksInput,
  flowProblems,
}

const FIRST_GENERATION: readonly unknown[] = ['Multi Agents', 'Sequential Agents']

/** Agent flows of the first generation, which are drawn like chat flows. They are stored as they were imported. */
export const multiagent: CheckedFlowKind = {
  ...chatflow,
  ...multiagentFacts,
  ownsNode: ({ category }) => FIRST_GENERATION.includes(category),
}
