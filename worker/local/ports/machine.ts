/** Tells the worker whether it is being stopped, the memory that this process and its own take, and its backups. The worker tells its runs. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ScheduledBackups } from '#contract/health/health.ts'
import type { MachineState } from '#worker/ports/types.ts'
import { watchWorkerd } from '../child-process-guard.ts'

/** Call it before workerd is started. */
export function watchMachine(readBackups: (() => ScheduledBackups | undefined) | undefined) {
  let isStopping = false
  let runs = 0
  let workerd: number | undefined
  const close = watchWorkerd(({ pid }) => {
    // A process of tests may start more than one.
    workerd ??= pid
  })

  function read(): MachineState {
    const memory = workerd === undefined ? undefined : residentBytes(workerd)
    const residents = { node: process.memoryUsage.rss(), ...(memory !== undefined && { workerd: memory }) }
    return { isStopping, residentBytes: residents, backups: readBackups?.() }
  }

  return {
    close,
    noteStop() {
      isStopping = true
    },
    /** What the worker said last. */
    runs: () => runs,
    /** A handler of Node's own server, behind the worker. */
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      if (request.method === 'PUT') runs = Number(await text(request))
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(read()))
    },
  }
}

/** Undefined where the system does not tell without another program: everywhere but on Linux. */
function residentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
