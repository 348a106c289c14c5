/** Agent flows with the rules of their checklist. */
import type { CheckedFlowKind } from '../types.ts'
import { drawnAgentflow } from './drawn.ts'
import { checksInput, flowProblems, inputProblems } from './problems.ts'
import { structureProblems } from './structure.ts'

export const agentflow: CheckedFlowKind = {
  ...drawnAgentflow,
  structureProblems,
  inputProblems,
  checksInput,
  flowProblems,
}
