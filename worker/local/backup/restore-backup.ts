/** Puts a backup into a new data folder. */
import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'libsql'
import { copySecrets, readSecretsFile } from '../environment.ts'
import { lockDataDir } from '../lock.ts'
import { assertKnownMigration } from '../migrate.ts'
import { type Manifest, readArchive } from './archive.ts'
import { assertSound } from './create-backup.ts'
import { trySealedValues } from './sealed-values.ts'

interface RestoreOptions {
  archive: string
  /** Must be empty or not exist. */
  dataDir: string
  /** The folder of a `secrets.json`, for a backup that was made without it. */
  secretsFrom?: string | undefined
}

/** Throws a sentence for people; then the data folder is as it was. */
export async function restoreBackup({ archive, dataDir, secretsFrom }: RestoreOptions): Promise<Manifest> {
  if (!existsSync(archive)) throw new Error(`There is no file ${archive}.`)
  assertEmpty(dataDir)
  // Inside, because the data folder may be a disk of its own.
  const folder = join(dataDir, '.restoring')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    const manifest = await readArchive(archive, async (name, chunks) => {
      const path = placeIn(folder, name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
    })
    if (manifest.secrets === 'left out') takeSecrets(secretsFrom, { archive, folder })
    await inspect(folder, manifest)
    for (const name of readdirSync(folder)) renameSync(join(folder, name), join(dataDir, name))
    return manifest
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Throws when the folder holds something, and says so when Heddle runs on it. */
function assertEmpty(dataDir: string): void {
  if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) return
  if (existsSync(join(dataDir, 'lock'))) lockDataDir(dataDir)()
  throw new Error(`${dataDir} is not empty. Move it away, or set DATA_DIR to a new folder.`)
}

/** An archive may come from elsewhere: its names lead to no other place. */
function placeIn(folder: string, name: string): string {
  if (!/^(heddle\.db|secrets\.json|files(\/[\w-][\w.-]*)+)$/.test(name)) throw new Error('Not a name of a backup')
  return join(folder, name)
}

function takeSecrets(from: string | undefined, { archive, folder }: { archive: string; folder: string }): void {
  if (!from)
    throw new Error(
      `${archive} was made without secrets.json. Name the folder that has it: npm run restore -- ${archive} --secrets FOLDER`,
    )
  copySecrets(from, folder)
}

async function inspect(folder: string, { migration }: Manifest): Promise<void> {
  assertKnownMigration(migration)
  const file = join(folder, 'heddle.db')
  const database = new Database(file)
  try {
    assertSound(database, file)
    const { unreadable } = await trySealedValues(database, readSecretsFile(folder))
    if (unreadable.length > 0)
      throw new Error(
        `The master key in secrets.json does not open this backup (${unreadable[0]}). Use the key of its time.`,
      )
  } finally {
    database.close()
  }
}
