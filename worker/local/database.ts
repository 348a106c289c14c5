/** The database of one machine: the embedded server's file in the data folder, or the libSQL server at LIBSQL_URL. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { explainStorageFailure } from './doctor/storage-failure.ts'
import { lockDataDir } from './lock.ts'
import { assertMigrated, type DatabaseAddress, migrateDatabase } from './migrate.ts'

type Counts = Pick<LibsqlServer, 'roundTrips' | 'writes' | 'longestAnswer' | 'prepared'>

export interface OpenedDatabase extends DatabaseAddress, Counts {
  close(): Promise<void>
}

interface DatabaseOptions {
  dataDir: string
  /** The server to use in place of the embedded one. */
  database?: DatabaseAddress | undefined
}

/**
 * Locks the data folder and opens the database. The embedded one is migrated to the newest schema; a server, which others may
 * be using, must have it already. Throws a sentence for people when it has not, or when the
 * disk or a file on it does not work.
 */
export async function openDatabase({ dataDir, database }: DatabaseOptions): Promise<OpenedDatabase> {
  const unlock = claimFolder(dataDir)
  try {
    const opened = database ? await openServer(database) : await openFile(dataDir)
    return {
      ...opened,
      async close() {
        await opened.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Makes the folder where it is missing, and locks it until the returned function is called. */
export function claimFolder(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return lockDataDir(dataDir)
  } catch (error) {
    throw explainStorageFailure(error, dataDir)
  }
}

async function openFile(dataDir: string): Promise<OpenedDatabase> {
  let server: LibsqlServer | undefined
  try {
    server = await startLibsqlServer({ file: join(dataDir, 'heddle.db') })
    await migrateDatabase(server)
    return server
  } catch (error) {
    // A damaged file may not close either; the first failure says why.
    await server?.close().catch(() => undefined)
    throw explainStorageFailure(error, dataDir)
  }
}

async function openServer(address: DatabaseAddress): Promise<OpenedDatabase> {
  await assertMigrated(address)
  return {
    ...address,
    roundTrips: refuseToCount,
    writes: refuseToCount,
    longestAnswer: refuseToCount,
    prepared: refuseToCount,
    async close() {},
  }
}

function refuseToCount(): never {
  throw new Error('Only the embedded database counts what it is asked.')
}
