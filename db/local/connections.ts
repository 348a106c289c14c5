/** Connections to one database file, opened when needed and kept for the next stream. */
import Database from 'libsql'

export type Connection = Database.Database

export interface ConnectionPool {
  take(): Connection
  /** Returns a connection to the pool; closes `broken` ones. Rolls back an open transaction. */
  give(connection: Connection, broken: boolean): void
  close(): void
}

const MAX_IDLE_CONNECTIONS = 8

/**
 * WAL lets readers go on while one connection writes. With `synchronous=NORMAL` a commit is written to the log, but
 * the disk is only told to flush at a checkpoint. A killed process loses nothing that it committed: the log's pages
 * are in the operating system's cache, which outlives the process. Only a power cut can lose the last commits, and
 * never tears the file.
 */
export function openPool(file: string): ConnectionPool {
  const idle: Connection[] = [open(file)]

  return {
    take: () => idle.pop() ?? open(file),
    give(connection, broken) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      if (broken || idle.length >= MAX_IDLE_CONNECTIONS) connection.close()
      else idle.push(connection)
    },
    close() {
      for (const connection of idle.splice(0)) connection.close()
      // A used connection may hold a lock: SQLite leaves one after an EXPLAIN that had to connect a virtual table.
      const last = open(file)
      // Otherwise the newest rows would exist only in the -wal file beside the database.
      last.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      last.close()
    },
  }
}

/** Bytes of the file that connections read from the system's cache (`mmap_size`) in place of their own. */
const MAPPED_BYTES = 2 ** 30

/** A log as long as that (64 MB) is moved by whoever commits next; until then `checkpoints.ts` does so. */
const MAX_LOG_PAGES = 16_384

function open(file: string): Connection {
  const connection = new Database(file)
  connection.defaultSafeIntegers(true)
  connection.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON')
  connection.exec(`PRAGMA mmap_size=${MAPPED_BYTES}; PRAGMA wal_autocheckpoint=${MAX_LOG_PAGES}`)
  return connection
}
