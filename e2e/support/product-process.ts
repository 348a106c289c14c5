/** A product in a process of its own, from what `npm start` has built. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Heddle, HeddleOptions } from '#worker/local/server.ts'

interface Running extends Heddle {
  process: ChildProcess
}

/** Starts what `npm start` starts, from an existing build. */
export async function startProduct(given: HeddleOptions): Promise<Running> {
  // All journeys come from one address.
  const options = { publicCallsPerMinute: '100000', ...given }
  const script = `import(${JSON.stringify(new URL('../../worker/local/server.ts', import.meta.url).href)})
    .then(({ startHeddle }) => startHeddle(${JSON.stringify(options)}))
    .then((heddle) => {
      // A product does not outlive the worker that started it.
      process.on('disconnect', () => process.exit())
      process.send({ ...heddle })
    })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('The product ended before it was ready')))
  const [heddle] = (await Promise.race([once(child, 'message'), failed])) as [Heddle]
  return { ...heddle, process: child }
}

export async function killProduct({ process: child }: Running): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
