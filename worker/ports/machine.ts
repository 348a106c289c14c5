/** What runs the worker and knows what the worker cannot: whether it is being stopped, and what its processes take. */
import { errorReport } from '#contract/errors.ts'
import type { Machine, MachineState } from './types.ts'

/** Says nothing where nobody tells, as on Cloudflare. */
const UNKNOWN: MachineState = { isStopping: false, residentBytes: {} }

/** @param binding what `npm start` binds (`worker/local/ports/machine.ts`) */
export function createMachine(binding: { fetch(request: Request): Promise<Response> } | undefined): Machine {
  return {
    async read() {
      if (!binding) return UNKNOWN
      try {
        return await (await binding.fetch(new Request('http://machine/'))).json<MachineState>()
      } catch (error) {
        console.error('the state of the machine:', errorReport(error))
        return UNKNOWN
      }
    },
    async reportRuns(count) {
      await binding?.fetch(new Request('http://machine/runs', { method: 'PUT', body: String(count) }))
    },
  }
}
