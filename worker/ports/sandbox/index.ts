/**
 * The only place where user code runs: QuickJS in WebAssembly, a fresh runtime for each run, no global but the language,
 * `console`, a `fetch` that goes through egress, and the values that the caller copies in.
 */
import type { Egress, Sandbox } from '../types.ts'
import { createEngines } from './engines.ts'
import { openGuest } from './guest.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { runInGuest } from './run.ts'

export { SandboxError } from './guest.ts'
export { DEFAULT_LIMITS, type SandboxLimits } from './limits.ts'

/** One per isolate: keeps the WebAssembly instances. `open` gives a request its own sandbox. */
export function createSandboxes(loadModule: () => Promise<WebAssembly.Module>, limits = DEFAULT_LIMITS) {
  const engines = createEngines(loadModule, limits.memoryBytes)

  return {
    open(egress: Egress): Sandbox {
      return {
        async run(request) {
          const engine = await engines.take()
          const guest = openGuest(engine, limits)
          try {
            return await runInGuest({ guest, egress, limits }, request)
          } finally {
            if (guest.close()) engines.giveBack(engine)
          }
        },
      }
    },
  }
}
