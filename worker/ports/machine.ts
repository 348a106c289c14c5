/** What runs the worker and knows what the worker cannot: whether it is being stopped, and what its processes take. */
import { errorReport } from '#contract/errors.ts'
import { orAborted, startDeadline } from './deadline.ts'
import type { Machine, MachineState } from './types.ts'

/** Says nothing where nobody tells, as on Cloudflare. */
const UNKNOWN: MachineState = { isStopping: false, residentBytes: {} }

/** Milliseconds that it may take to tell. */
const READ_MS = 1_000

/** @param binding what `npm start` binds (`worker/local/ports/machine.ts`) */
export function createMachine(binding: { fetch(request: Request): Promise<Response> } | undefined): Machine {
  return {
    async read() {
      if (!binding) return UNKNOWN
      const { signal, clear } = startDeadline(READ_MS, () => new Error('It does not answer'))
      try {
        const response = await orAborted(binding.fetch(new Request('http://machine/')), signal)
        return (await orAborted(response.json(), signal)) as MachineState
      } catch (error) {
        console.error('the state of the machine:', errorReport(error))
        return UNKNOWN
      } finally {
        clear()
      }
    },
    async reportRuns(count) {
      await binding?.fetch(new Request('http://machine/runs', { method: 'PUT', body: String(count) }))
    },
  }
}
