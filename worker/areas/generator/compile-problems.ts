import { HeddleError } from '#contract/errors.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { compile } from '../../engine/plan.ts'
import { catalogue } from '../../nodes/registry.ts'

/** What keeps the engine from running a flow, one sentence each. */
export function compileProblems(flow: FlowDocument): string[] {
  try {
    compile(flow, catalogue)
    return []
  } catch (thrown) {
    if (thrown instanceof HeddleError) return thrown.message.split('\n')
    throw thrown
  }
}
