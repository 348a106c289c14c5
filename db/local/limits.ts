import { SqldError } from './protocol.ts'

/**
 * Limits of a server. The embedded one refuses the same as sqld with its default settings, so that a flow that runs here
 * runs on a real server too.
 */
export interface Limits {
  /** Streams at a time. Others wait for `connectionWaitMs`. */
  connections: number
  connectionWaitMs: number
  /** Bytes of one answer, and of all answers that have not been sent yet. */
  answerBytes: number
  answersInFlightBytes: number
  /** Bytes of one value, and of a row with its header. */
  rowBytes: number
  /** Milliseconds that a transaction may write while others wait to. */
  transactionMs: number
  /** Milliseconds that a stream waits for its turn to write. */
  writeWaitMs: number
  /** Milliseconds until a stream without requests expires, and its transaction is rolled back. */
  idleStreamMs: number
  /** Milliseconds until an HTTP connection without requests is closed. */
  idleConnectionMs: number
}

export const SQLD_LIMITS: Limits = {
  connections: 128,
  connectionWaitMs: 1_000,
  answerBytes: 10_000_000,
  answersInFlightBytes: 32_000_000,
  rowBytes: 5_000_000,
  transactionMs: 5_000,
  writeWaitMs: 15_000,
  idleStreamMs: 10_000,
  idleConnectionMs: 5_000,
}

/** Counts the bytes of one answer while it is built. */
export interface AnswerMeter {
  /** Throws SqldError when the answer, or all answers in flight, become too long. */
  add(bytes: number): void
  /** The answer was sent. */
  release(): void
}

/** The meter of what is not answered. */
export const UNMETERED: AnswerMeter = { add() {}, release() {} }

/** Returns a function that makes the meter of an answer. */
export function meterAnswers({ answerBytes, answersInFlightBytes }: Limits): () => AnswerMeter {
  let inFlight = 0
  return () => {
    let own = 0
    return {
      add(bytes) {
        if (own + bytes > answerBytes || inFlight + bytes > answersInFlightBytes) {
          throw new SqldError('RESPONSE_TOO_LARGE', 'Response is too large')
        }
        own += bytes
        inFlight += bytes
      },
      release() {
        inFlight -= own
        own = 0
      },
    }
  }
}

/** Lets `connections` streams in; others wait for their turn. */
interface Gate {
  /** Rejects with SqldError after the wait, or at once when too many wait already. */
  enter(): Promise<void> | undefined
  leave(): void
}

export function openGate({ connections, connectionWaitMs }: Limits): Gate {
  const waiting = new Set<() => void>()
  let inside = 0

  return {
    enter() {
      if (inside < connections) {
        inside++
        return undefined
      }
      if (waiting.size >= connections) throw new SqldError('', 'Too many concurrent requests', 429)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(start)
          reject(new SqldError('', 'Timed out while opening database connection', 429))
        }, connectionWaitMs)
        function start(): void {
          clearTimeout(timer)
          waiting.delete(start)
          resolve()
        }
        waiting.add(start)
      })
    },
    leave() {
      const [next] = waiting
      if (next) next()
      else inside--
    },
  }
}
