/** Shared by the programs of one machine: reports errors in one line and shuts down cleanly. */
import { whenNpmIsGone } from './child-process-guard.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The running server and its port. */
interface Running {
  port: number
  /** What else the operator should know. */
  note?: string | undefined
  close(): Promise<void>
}

/** Runs `start`, reports when it is ready, waits for a signal to stop, then closes it and exits. */
export async function runProgram(start: () => Promise<Running>): Promise<void> {
  try {
    const running = await start()
    let stopping = false
    const stop = async () => {
      if (stopping) return
      stopping = true
      await running.close()
      process.exit(0)
    }
    for (const signal of SIGNALS) {
      const others = process.listeners(signal)
      process.on(signal, stop)
      // Miniflare's own listeners would end this process before the database is closed. Remove them after adding this
      // one, so that no signal is lost in between.
      for (const other of others) process.off(signal, other)
    }
    whenNpmIsGone(stop)
    if (running.note) console.log(running.note)
    // Log this last: the process may be stopped as soon as the line appears.
    console.log(`Heddle is ready on http://localhost:${running.port}`)
  } catch (error) {
    console.error(process.env.DEBUG ? error : `Heddle could not start: ${(error as Error).message}`)
    process.exit(1)
  }
}

/** Says in one line why a program failed, which then ends with 1. */
export function reportFailure(error: unknown): void {
  console.error(process.env.DEBUG ? error : (error as Error).message)
  process.exitCode = 1
}

/** Resolves when the worker at `url` answers a ping; throws when it answers anything else. */
export async function assertAnswers(url: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/ping`)
  const text = await response.text()
  if (text !== 'pong') throw new Error(`the worker returned ${response.status}: ${text.slice(0, 500)}`)
}
