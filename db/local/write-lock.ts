/**
 * SQLite lets one connection write at a time. The binding is synchronous, so a connection that waited inside SQLite
 * for the other one would block the very thread that the other one needs to finish. Streams therefore queue here,
 * first come first served, before they start to write.
 */
export interface WriteLock {
  /** Takes the turn when nobody has it, and returns the function that ends it. */
  tryTake(): (() => void) | undefined
  /** Resolves when it is this caller's turn, with the function that ends it. Rejects with SQLITE_BUSY after `waitMs`. */
  take(): Promise<() => void>
}

class BusyError extends Error {
  readonly code = 'SQLITE_BUSY'
}

/** @param onEnd called after each turn */
export function createWriteLock(waitMs: number, onEnd = () => {}): WriteLock {
  const waiting = new Set<() => void>()
  let taken = false

  function release(): void {
    const [next] = waiting
    if (next) next()
    else taken = false
    onEnd()
  }

  function tryTake(): (() => void) | undefined {
    if (taken) return undefined
    taken = true
    return release
  }

  return {
    tryTake,
    take() {
      const end = tryTake()
      if (end) return Promise.resolve(end)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(start)
          reject(new BusyError('database is locked: another transaction has been writing for too long'))
        }, waitMs)
        function start(): void {
          clearTimeout(timer)
          waiting.delete(start)
          resolve(release)
        }
        waiting.add(start)
      })
    },
  }
}

const READS =
  /^\s*(select|values|explain|commit|end|rollback|savepoint|release|begin(\s+deferred)?(\s+transaction)?\s*;?\s*$)/i
const READING_PRAGMA = /^\s*pragma[^=]*$/i
const READING_WITH = /^\s*with\b(?!.*\b(insert|update|delete|replace)\b)/is

const MAX_KNOWN = 2000
const verdicts = new Map<string, boolean>()

/** Returns true when a statement may need the writer's turn. When in doubt it does: that costs a wait, never correctness. */
export function mayWrite(sql: string): boolean {
  const before = verdicts.get(sql)
  if (before !== undefined) return before
  const may = !(READS.test(sql) || READING_PRAGMA.test(sql) || READING_WITH.test(sql))
  if (verdicts.size >= MAX_KNOWN) verdicts.clear()
  verdicts.set(sql, may)
  return may
}
