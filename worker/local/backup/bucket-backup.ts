/** A backup that goes to the bucket of backups. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Installation } from '../environment.ts'
import { lockDataDir } from '../lock.ts'
import { createBackup } from './create-backup.ts'
import type { BackupSettings } from './settings.ts'
import { archiveName, deleteOldBackups, listBackups, storeBackup } from './stored-backups.ts'

interface BucketBackup extends Awaited<ReturnType<typeof createBackup>> {
  name: string
  bytes: number
  /** The number of older backups that it took the place of. */
  deleted: number
}

/** Makes an archive, uploads it, reads it back, and only then deletes older ones. Throws a sentence for people. */
export async function backUpToBucket(
  installation: Installation,
  { s3, keep, withSecrets }: Omit<BackupSettings, 'schedule'>,
): Promise<BucketBackup> {
  const folder = join(installation.dataDir, 'backups', '.bucket')
  const unlock = claim(folder)
  try {
    removeLeftovers(folder)
    // First, so that a bucket that refuses costs no copy.
    await listBackups(s3)
    const name = archiveName()
    const file = join(folder, name)
    const backup = await createBackup({ installation, to: file, withSecrets })
    await storeBackup(file, name, s3)
    return { ...backup, name, bytes: statSync(file).size, deleted: await deleteOldBackups(s3, keep) }
  } finally {
    removeLeftovers(folder)
    unlock()
  }
}

function claim(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    return lockDataDir(folder)
  } catch (error) {
    if (!(error as Error).message.startsWith('Another Heddle')) throw error
    throw new Error('Another backup to the bucket is being made on this machine.', { cause: error })
  }
}

/** A killed backup leaves parts. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder))
    if (!name.startsWith('lock')) rmSync(join(folder, name), { recursive: true, force: true })
}
