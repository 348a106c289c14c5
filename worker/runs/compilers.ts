/** The compilers of the flow types that run, one line each. */

import { HeddleError } from '#contract/errors.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { assistant } from '#contract/flow/kinds/assistant/kind.ts'
import { whyNotRun } from '#contract/flow/kinds/index.ts'
import { compileChatflow } from '../engine/chat-plan.ts'
import { type Compile, compile } from '../engine/plan.ts'

export const compilers: Partial<Record<FlowType, Compile>> = {
  AGENTFLOW: (flow, catalogue) => compile(flow, catalogue, agentflow),
  CHATFLOW: compileChatflow,
  ASSISTANT: (flow, catalogue) => compile(flow, catalogue, assistant),
}

/** Throws `bad_request`, which says what to do instead, when flows of this type cannot run. */
export function requireCompiler(type: FlowType): Compile {
  const found = compilers[type]
  if (found) return found
  throw new HeddleError('bad_request', whyNotRun(type) ?? `Flows of type ${type} can’t run`)
}

/** Throws `bad_request`, which says what to do instead, when this flow cannot run. */
export function assertRuns(type: FlowType, document: FlowDocument): void {
  const why = whyNotRun(type, document)
  if (why) throw new HeddleError('bad_request', why)
}
