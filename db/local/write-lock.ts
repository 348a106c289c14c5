/**
 * SQLite lets one connection write at a time. The binding is synchronous, so a connection that waited inside SQLite
 * for the other one would block the very thread that the other one needs to finish. Streams therefore queue here,
 * first come first served, before they start to write.
 */
export interface WriteLock {
  /** Takes the turn when nobody has it, and returns the function that ends it. */
  tryTake(writer: Writer): (() => void) | undefined
  /** Resolves when it is this caller's turn, with the function that ends it. Rejects with SQLITE_BUSY after `waitMs`. */
  take(writer: Writer): Promise<() => void>
}

export interface Writer {
  /** Rolls back and ends the turn: it took too long while others waited. */
  abort(): void
}

interface Times {
  /** Milliseconds until a caller waits no longer. */
  waitMs: number
  /** Milliseconds after which a turn is taken from who has it, if somebody waits. */
  turnMs: number
}

class BusyError extends Error {
  readonly code = 'SQLITE_BUSY'
}

/** @param onEnd called after each turn */
export function createWriteLock({ waitMs, turnMs }: Times, onEnd = () => {}): WriteLock {
  const waiting = new Set<() => void>()
  let turn: { writer: Writer; since: number } | undefined
  let taking: NodeJS.Timeout | undefined

  function begin(writer: Writer): void {
    turn = { writer, since: Date.now() }
    if (waiting.size > 0) takeWhenDue()
  }

  function takeWhenDue(): void {
    if (!turn || taking) return
    taking = setTimeout(() => turn?.writer.abort(), Math.max(0, turn.since + turnMs - Date.now()))
  }

  function release(): void {
    clearTimeout(taking)
    taking = undefined
    turn = undefined
    const [next] = waiting
    next?.()
    onEnd()
  }

  function tryTake(writer: Writer): (() => void) | undefined {
    if (turn) return undefined
    begin(writer)
    return release
  }

  return {
    tryTake,
    take(writer) {
      const end = tryTake(writer)
      if (end) return Promise.resolve(end)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(start)
          reject(new BusyError('database is locked: another transaction has been writing for too long'))
        }, waitMs)
        function start(): void {
          clearTimeout(timer)
          waiting.delete(start)
          begin(writer)
          resolve(release)
        }
        waiting.add(start)
        takeWhenDue()
      })
    },
  }
}
