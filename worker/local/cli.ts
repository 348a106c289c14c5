/** What `npm start` and `npm run dev` have in common: say what is wrong in one line, and stop cleanly. */
import { whenNpmIsGone } from './child-process-guard.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What was started, and the port that it answers on. */
export interface Running {
  port: number
  close(): Promise<void>
}

/** Runs `start`, says when it is ready, and keeps it until this process is told to stop; then closes it and exits. */
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
      // Miniflare's own listeners would end this process before the database is closed. They go after ours has come:
      // a signal that finds no listener in between would be lost.
      for (const other of others) process.off(signal, other)
    }
    whenNpmIsGone(stop)
    // Said last: whoever waits for this line may stop us at once.
    console.log(`Heddle is ready on http://localhost:${running.port}`)
  } catch (error) {
    console.error(process.env.DEBUG ? error : `Heddle could not start: ${(error as Error).message}`)
    process.exit(1)
  }
}

/** Resolves when the worker behind `url` answers a ping; throws when it answers anything else. */
export async function assertAnswers(url: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/ping`)
  const text = await response.text()
  if (text !== 'pong') throw new Error(`the worker answers ${response.status}: ${text.slice(0, 500)}`)
}
