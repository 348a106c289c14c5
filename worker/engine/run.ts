/** Runs flows. `Scheduler` decides which steps can run, `StepViews` what each step sees. */
import { errorMessage } from '#contract/errors.ts'
import { catalogue } from '../nodes/registry.ts'
import { FlowRun } from './flow-run.ts'
import type { Catalogue, Plan } from './plan.ts'
import { Plans } from './plan-cache.ts'
import type { Run } from './types.ts'

/** Creates `run` for a set of node types. */
export function createRun(types: Catalogue): Run {
  const plans = new Plans(types)
  return async (request) => {
    request.emit({ event: 'agentFlowEvent', data: 'INPROGRESS' })
    let plan: Plan
    try {
      plan = plans.get(request.planKey, request.flow, request.compile)
    } catch (error) {
      request.emit({ event: 'agentFlowEvent', data: 'ERROR' })
      const nothing = { text: '', trace: [], flowState: {}, totalTokens: 0, totalCost: null }
      return { state: 'ERROR', error: errorMessage(error), ...nothing }
    }
    return new FlowRun(plan, request).outcome()
  }
}

export const run: Run = createRun(catalogue)
