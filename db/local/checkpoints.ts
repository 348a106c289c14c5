/**
 * Moves what was written from the log into the file, on a thread of the binding. SQLite would do so within a commit, and
 * every caller would wait for the disk meanwhile.
 */
import Database from 'libsql/promise'

/** So much later than a write: the writes of a moment are moved at once. */
const PAUSE_MS = 250

interface Checkpoints {
  /** Something was written. */
  note(): void
  /** Waits for one that runs. */
  close(): Promise<void>
}

export function openCheckpoints(file: string): Checkpoints {
  const connection = new Database(file, {})
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isMissed = false

  function begin(): void {
    timer = undefined
    running = move(connection).finally(() => {
      running = undefined
      if (isMissed) note()
    })
  }

  function note(): void {
    isMissed = running !== undefined
    if (!running) timer ??= setTimeout(begin, PAUSE_MS).unref()
  }

  return {
    note,
    async close() {
      clearTimeout(timer)
      await running
      clearTimeout(timer)
      connection.close()
    },
  }
}

/** Moves the log into the file. Pages that a reader still needs are moved after the next write. */
const move = async (connection: Database): Promise<void> => {
  try {
    await connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // The next one moves it.
  }
}
