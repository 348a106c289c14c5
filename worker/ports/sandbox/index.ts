/**
 * The only place where user code runs: QuickJS in WebAssembly, a fresh runtime for each run, no global but the language,
 * `console`, a `fetch` that goes through egress, and the values that the caller copies in.
 */
import type { Egress, Sandbox, SandboxRequest, SandboxResult } from '../types.ts'
import { createEngines } from './engines.ts'
import { openGuest, SandboxError } from './guest.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { runInGuest } from './run.ts'
import { createTurns } from './turns.ts'

export { SandboxError } from './guest.ts'
export { DEFAULT_LIMITS, type SandboxLimits } from './limits.ts'

const BUSY = 'Too many custom functions run here at once. Run this one again in a moment.'

/** One per isolate: keeps the WebAssembly instances. `open` gives a request its own sandbox. */
export function createSandboxes(loadModule: () => Promise<WebAssembly.Module>, limits = DEFAULT_LIMITS) {
  const engines = createEngines(loadModule, limits.memoryBytes)
  const turns = createTurns({
    atOnce: limits.atOnce,
    waitMs: limits.waitMs,
    turnMs: limits.wallMs,
    refusal: () => new SandboxError(BUSY),
  })

  async function runOnce(egress: Egress, request: SandboxRequest): Promise<SandboxResult> {
    const engine = await engines.take()
    const guest = openGuest(engine, limits)
    try {
      return await runInGuest({ guest, egress, limits }, request)
    } finally {
      if (guest.close()) engines.giveBack(engine)
    }
  }

  return {
    open(egress: Egress): Sandbox {
      return {
        async run(request) {
          const endTurn = await turns.take(request.signal)
          try {
            return await runOnce(egress, request)
          } finally {
            endTurn()
          }
        },
      }
    },
  }
}
