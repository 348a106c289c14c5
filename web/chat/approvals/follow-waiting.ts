/** Follows a run whose question others answer, until it has gone on. */
import type { RunEvent } from '#contract/runs/events.ts'
import { readRunEvents } from '../events.ts'

const MIN_WAIT_MS = 1000
const MAX_WAIT_MS = 30_000

interface Following {
  /** Opens the stream, which is silent while the run waits, and ends after a while. */
  open(signal: AbortSignal): Promise<Response>
  /** @param isFirst of a stream: a stream that follows one that broke begins again */
  onEvent(event: RunEvent, isFirst: boolean): void
  signal: AbortSignal
}

/** Returns whether the run went on. It did not when the chat was left, or when the server refuses to tell. */
export async function followWaiting({ open, onEvent, signal }: Following): Promise<boolean> {
  for (let wait = MIN_WAIT_MS; ; ) {
    try {
      let isFirst = true
      for await (const event of readRunEvents(await open(signal))) {
        if (signal.aborted) return false
        onEvent(event, isFirst)
        isFirst = false
        if (event.event === 'end') return true
      }
      wait = MIN_WAIT_MS
    } catch (error) {
      if (isRefusal(error)) return false
      wait = Math.min(wait * 2, MAX_WAIT_MS)
    }
    if (!signal.aborted) await pause(wait, signal)
    if (signal.aborted) return false
  }
}

/** Too many requests, an outage and a lost connection are over some time. */
function isRefusal(error: unknown): boolean {
  const { status = 0 } = error as { status?: number }
  return status >= 400 && status < 500 && status !== 429
}

export const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
