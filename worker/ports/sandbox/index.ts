/**
 * Runs user code in QuickJS in WebAssembly, with a fresh runtime for each run. Globals are those of the language,
 * `console`, a `fetch` that goes through egress, and the values passed by the caller.
 */
import type { Egress, Sandbox, SandboxRequest, SandboxResult } from '../types.ts'
import { createEngines } from './engines.ts'
import { openGuest, SandboxError } from './guest.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { runInGuest } from './run.ts'
import { createTurns } from './turns.ts'

export { SandboxError } from './guest.ts'
export { DEFAULT_LIMITS, type SandboxLimits } from './limits.ts'

const BUSY = 'Too many custom functions are running at once. Try again in a moment.'

/** Creates the isolate's pool of WebAssembly instances. `open` returns the sandbox of a request. */
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
