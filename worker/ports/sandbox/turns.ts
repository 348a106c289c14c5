/**
 * A queue that limits concurrency in this isolate, first come, first served. Waiting requests poll, because workerd cancels
 * a request that waits for another request's promise. A slot expires when its owner stops polling, as cancelled requests do.
 */
const POLL_MS = 10
/** A waiting request that has not polled for this long is dropped. */
const EXPIRY_MS = 10_000

interface TurnOptions {
  atOnce: number
  /** Maximum wait and maximum duration of a turn. */
  waitMs: number
  turnMs: number
  refusal(): Error
}

export function createTurns({ atOnce, waitMs, turnMs, refusal }: TurnOptions) {
  /** The first `atOnce` entries have their turn. */
  let line: { until: number }[] = []

  return {
    /** Resolves to a function that ends the turn. Rejects with the refusal after `waitMs`, or with the signal's reason. */
    async take(signal?: AbortSignal): Promise<() => void> {
      const startedAt = Date.now()
      const own = { until: startedAt + EXPIRY_MS }
      const leave = () => {
        line = line.filter((other) => other !== own)
      }
      try {
        for (;;) {
          signal?.throwIfAborted()
          const now = Date.now()
          own.until = now + EXPIRY_MS
          line = line.filter((other) => other === own || other.until > now)
          if (!line.includes(own)) line.push(own)
          if (line.indexOf(own) < atOnce) break
          if (now - startedAt > waitMs) throw refusal()
          await new Promise((resolve) => setTimeout(resolve, POLL_MS))
        }
      } catch (error) {
        leave()
        throw error
      }
      own.until = Date.now() + turnMs + EXPIRY_MS
      return leave
    },
  }
}
