/** One Heddle per data folder: two would write the same database without knowing of each other. */
import { join } from 'node:path'
import Database from 'libsql'

/**
 * Holds the folder until the returned function is called or the process ends, however it ends: the lock is the
 * operating system's, taken through SQLite, so a killed start leaves nothing to clean up. Throws when it is held.
 */
export function lockDataDir(dataDir: string): () => void {
  const database = new Database(join(dataDir, 'lock'))
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Error(`Another Heddle is running on ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
  }
  return () => database.close()
}
