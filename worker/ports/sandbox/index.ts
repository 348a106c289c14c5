/**
 * Runs user code in QuickJS in WebAssembly. Each run finds the interpreter as if it were new. Globals are those of the
 * language, `console`, a `fetch` that goes through egress, and the values passed by the caller.
 */
import { HeddleError } from '#contract/errors.ts'
import { metrics } from '../metrics/metrics.ts'
import type { Egress, Sandbox, SandboxRequest, SandboxResult } from '../types.ts'
import { type CountCpu, createBudget } from './budget.ts'
import { createEngines } from './engines.ts'
import { SandboxError } from './guest.ts'
import { DEFAULT_LIMITS, type SandboxLimits } from './limits.ts'
import { runInGuest } from './run.ts'
import { createTurns } from './turns.ts'

export type { CountCpu } from './budget.ts'
export { SandboxError } from './guest.ts'
export { DEFAULT_LIMITS, type SandboxLimits } from './limits.ts'

const usedUp = ({ cpuMsPerMinute }: SandboxLimits, seconds: number) =>
  `The functions of this workspace have used their ${cpuMsPerMinute / 1000} seconds of CPU time of this minute. They run again in ${seconds} seconds.`

const BUSY = 'Too many custom functions are running at once. Try again in a moment.'

interface Owner {
  egress: Egress
  workspaceId: string | undefined
}

/** Creates the isolate's pool of WebAssembly instances. `open` returns the sandbox of a request. */
export function createSandboxes(
  loadModule: () => Promise<WebAssembly.Module>,
  limits: SandboxLimits = DEFAULT_LIMITS,
  countCpu?: CountCpu,
) {
  const engines = createEngines(loadModule, limits)
  const turns = createTurns({
    atOnce: limits.atOnce,
    waitMs: limits.waitMs,
    turnMs: limits.wallMs,
    refusal: () => new SandboxError(BUSY),
  })

  const budget = createBudget(limits.cpuMsPerMinute, { countCpu })

  function assertBudget(workspaceId: string | undefined): void {
    const seconds = workspaceId === undefined ? 0 : budget.secondsToWait(workspaceId)
    if (seconds > 0) throw new HeddleError('rate_limited', usedUp(limits, seconds), { retryAfterSeconds: seconds })
  }

  async function runOnce({ egress, workspaceId }: Owner, request: SandboxRequest): Promise<SandboxResult> {
    assertBudget(workspaceId)
    const guest = await engines.take(workspaceId)
    try {
      return await runInGuest({ guest, egress, limits }, request)
    } finally {
      const cost = guest.cost()
      engines.giveBack(guest, workspaceId)
      metrics.functions.add(1, {})
      metrics.functionCpu.add(cost / 1000, {})
      if (workspaceId !== undefined) await budget.spend(workspaceId, cost)
    }
  }

  return {
    /** @param workspaceId whose functions run; absent: every run opens an interpreter of its own */
    open(egress: Egress, workspaceId?: string): Sandbox {
      return {
        async run(request) {
          const endTurn = await turns.take(request.signal)
          try {
            return await runOnce({ egress, workspaceId }, request)
          } finally {
            endTurn()
          }
        },
      }
    },
  }
}
