/** What `npm start` and `npm run dev` have in common: say what is wrong in one line, and stop cleanly. */
import { whenNpmIsGone } from './lifeline.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `start` and keeps what it started until this process is told to stop; then closes it and exits. */
export async function runProgram(start: () => Promise<{ close(): Promise<void> }>): Promise<void> {
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
      // Miniflare's own listeners would end this process before the database is closed.
      process.removeAllListeners(signal)
      process.on(signal, stop)
    }
    whenNpmIsGone(stop)
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
