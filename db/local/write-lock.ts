/**
 * SQLite lets one connection write at a time. The binding is synchronous, so a connection that waited inside SQLite
 * for the other one would block the very thread that the other one needs to finish. Streams therefore queue here,
 * first come first served, before they start to write.
 */
export interface WriteLock {
  /** Resolves at this caller's turn, with a function that ends it. Rejects with SQLITE_BUSY after `waitMs`. */
  take(): Promise<() => void>
}

export class BusyError extends Error {
  readonly code = 'SQLITE_BUSY'
}

export function createWriteLock(waitMs: number): WriteLock {
  const waiting = new Set<() => void>()
  let taken = false

  function release(): void {
    const [next] = waiting
    if (next) next()
    else taken = false
  }

  return {
    take() {
      if (!taken) {
        taken = true
        return Promise.resolve(release)
      }
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

/** Returns true when a statement may write. In doubt it does: that costs a wait, never correctness. */
export function mayWrite(sql: string): boolean {
  return !(READS.test(sql) || READING_PRAGMA.test(sql) || READING_WITH.test(sql))
}
