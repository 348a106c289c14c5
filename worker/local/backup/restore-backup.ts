/** Puts a backup into a new data folder and, where the settings name them, an empty server and an empty bucket. */
import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'libsql'
import { parseS3Settings } from '../../ports/s3/settings.ts'
import {
  findSecrets,
  hasKeysInSettings,
  type Installation,
  readSecretsFile,
  type Secrets,
  saveSecrets,
} from '../environment.ts'
import { lockDataDir } from '../lock.ts'
import { assertKnownMigration } from '../migrate.ts'
import { queryFile } from '../move/query.ts'
import { type Manifest, readArchive } from './archive.ts'
import { assertSound } from './create-backup.ts'
import { bringElsewhere } from './elsewhere.ts'
import { trySealedValues } from './sealed-values.ts'

interface RestoreOptions {
  /** A file, or the name of what `download` brings. */
  archive: string
  /** Brings the archive to a file that does not exist yet. */
  download?: ((file: string) => Promise<unknown>) | undefined
  /** Its data folder must be empty or not exist, unless the database and the files both are elsewhere. */
  installation: Installation
  /** The folder of a `secrets.json`, for a backup that was made without it. */
  secretsFrom?: string | undefined
}

/**
 * Throws a sentence for people; then the data folder is as it was. When a copy to a server or a bucket was broken off, the next
 * attempt goes on with it.
 */
export async function restoreBackup({
  archive,
  download,
  installation,
  secretsFrom,
}: RestoreOptions): Promise<Manifest> {
  const { dataDir, database } = installation
  const s3 = parseS3Settings(installation.bucket)
  if (!download && !existsSync(archive)) throw new Error(`There is no file ${archive}.`)
  if (!database || !s3) assertEmpty(dataDir)
  const given = hasKeysInSettings(installation) ? findSecrets(installation) : undefined
  // Inside, because the data folder may be a disk of its own.
  const folder = join(dataDir, UNFINISHED)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    const downloaded = join(folder, 'archive')
    await download?.(downloaded)
    const manifest = await readArchive(download ? downloaded : archive, async (name, chunks) => {
      const path = placeIn(folder, name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      await pipeline(chunks, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
    })
    rmSync(downloaded, { force: true })
    if (!given && manifest.secrets === 'left out') takeSecrets(secretsFrom, { archive, folder })
    await inspect(folder, { manifest, secrets: given ?? readSecretsFile(folder) })
    if (given) rmSync(join(folder, 'secrets.json'), { force: true })
    if (database || s3) await bringElsewhere(folder, { database, s3 })
    for (const name of readdirSync(folder)) renameSync(join(folder, name), join(dataDir, name))
    return manifest
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a restore that was killed leaves. */
const UNFINISHED = '.restoring'

/** Throws when the folder holds something, and says so when Heddle runs on it. */
function assertEmpty(dataDir: string): void {
  if (!existsSync(dataDir) || readdirSync(dataDir).every((name) => name === UNFINISHED)) return
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
  saveSecrets(folder, readSecretsFile(from))
}

interface Opening {
  manifest: Manifest
  secrets: Secrets
}

async function inspect(folder: string, { manifest, secrets }: Opening): Promise<void> {
  assertKnownMigration(manifest.migration)
  const file = join(folder, 'heddle.db')
  const database = new Database(file)
  try {
    assertSound(database, file)
    const { unreadable } = await trySealedValues(queryFile(database), secrets)
    if (unreadable.length > 0)
      throw new Error(`The master key does not open this backup (${unreadable[0]}). Use the key of its time.`)
  } finally {
    database.close()
  }
}
