/**
 * At most so many at once in this isolate, first come first served. Who waits looks on a timer of its own, because workerd
 * cancels a request that hangs on another one's promise; and a place is taken back from who has gone without a word, as
 * cancelled requests do.
 */
const LOOK_MS = 10
/** Who has not looked for so long waits no more. */
const GONE_MS = 10_000

export interface TurnOptions {
  atOnce: number
  /** So long somebody waits at most, and so long a turn lasts at most. */
  waitMs: number
  turnMs: number
  refusal(): Error
}

export function createTurns({ atOnce, waitMs, turnMs, refusal }: TurnOptions) {
  /** Those in front have their turn. */
  let line: { until: number }[] = []

  return {
    /** Resolves to what ends the turn. Rejects with the refusal after too long, with the signal's reason when it aborts. */
    async take(signal?: AbortSignal): Promise<() => void> {
      const begun = Date.now()
      const own = { until: begun + GONE_MS }
      const leave = () => {
        line = line.filter((other) => other !== own)
      }
      try {
        for (;;) {
          signal?.throwIfAborted()
          const now = Date.now()
          own.until = now + GONE_MS
          line = line.filter((other) => other === own || other.until > now)
          if (!line.includes(own)) line.push(own)
          if (line.indexOf(own) < atOnce) break
          if (now - begun > waitMs) throw refusal()
          await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
        }
      } catch (thrown) {
        leave()
        throw thrown
      }
      own.until = Date.now() + turnMs + GONE_MS
      return leave
    },
  }
}
