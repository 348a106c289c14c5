/** Allows one Heddle per data folder: two would write the same database without coordination. */
import { join } from 'node:path'
import Database from 'libsql'

/**
 * Locks the folder until the returned function is called or the process ends. The operating system holds the lock,
 * through SQLite, so a killed process leaves nothing to clean up. Throws when the folder is locked.
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
