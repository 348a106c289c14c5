/** Makes a backup of an installation, wherever its database and files are, whether or not Heddle is running on them. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { VERSION } from '#contract/version.ts'
import { parseS3Settings } from '../../ports/s3/settings.ts'
import { type Installation, readKeys, type Secrets, saveSecrets } from '../environment.ts'
import { queryFile, readFileRows } from '../move/query.ts'
import { type Manifest, readArchive, writeArchive } from './archive.ts'
import { takeDatabase, takeFiles } from './elsewhere.ts'
import { trySealedValues } from './sealed-values.ts'
import { copyBuckets, copyDatabase } from './snapshot.ts'

interface BackupOptions {
  installation: Installation
  /** The archive to write. Must not exist. */
  to: string
  /** False leaves out `secrets.json`, without which nobody reads the stored credentials. */
  withSecrets: boolean
}

interface Backup {
  manifest: Manifest
  /** Keys of files in the database whose bytes were gone. */
  missing: string[]
}

const DATABASE = 'heddle.db'
const SECRETS = 'secrets.json'
const COUNTED_TABLES = ['users', 'workspaces', 'chatflows', 'executions', 'chat_messages', 'credentials', 'files']

/** Throws a sentence for people; then there is no archive. */
export async function createBackup({ installation, to, withSecrets }: BackupOptions): Promise<Backup> {
  const { dataDir, database: server } = installation
  const s3 = parseS3Settings(installation.bucket)
  if (!server && !existsSync(join(dataDir, DATABASE)))
    throw new Error(`There is no Heddle in ${dataDir}. Set DATA_DIR to its folder.`)
  if (existsSync(to)) throw new Error(`${to} exists already. Name another file.`)
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  // Beside the archive, so that both are on the disk that has room for them.
  const folder = mkdtempSync(`${to}.parts-`)
  try {
    // Before the database: a rotation that ends meanwhile is noticed below.
    const secrets = readKeys(installation)
    if (withSecrets) saveSecrets(folder, secrets)
    const database = join(folder, DATABASE)
    if (server) await takeDatabase(server, database)
    else copyDatabase(join(dataDir, DATABASE), database)
    const { fileKeys, ...about } = await inspect(database, secrets)
    const taken = join(folder, 'taken')
    if (s3) await takeFiles(s3, taken)
    const { files, keys } = copyBuckets(s3 ? taken : dataDir, folder)
    const copied = [
      { name: DATABASE, path: database },
      ...(withSecrets ? [{ name: SECRETS, path: join(folder, SECRETS) }] : []),
      ...files,
    ]
    const archive = join(folder, 'archive')
    const manifest = await writeArchive(archive, copied, {
      ...{ version: VERSION, createdDate: new Date().toISOString() },
      ...{ ...about, secrets: withSecrets ? 'included' : 'left out' },
    })
    await readArchive(archive)
    renameSync(archive, to)
    return { manifest, missing: fileKeys.filter((key) => !keys.has(key)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function inspect(
  file: string,
  secrets: Secrets,
): Promise<Pick<Manifest, 'migration' | 'counts'> & { fileKeys: string[] }> {
  const database = new Database(file)
  try {
    assertSound(database, file)
    const { unreadable } = await trySealedValues(queryFile(database), secrets)
    if (unreadable.length > 0)
      throw new Error(`The master key does not open ${unreadable[0]}. If it was being changed just now, back up again.`)
    const fileKeys = (await readFileRows(queryFile(database))).map(({ key }) => key)
    const number = (sql: string) => (database.prepare(sql).get() as { n: number }).n
    return {
      fileKeys,
      migration: number('SELECT max(created_at) AS n FROM __drizzle_migrations'),
      counts: Object.fromEntries(COUNTED_TABLES.map((table) => [table, number(`SELECT count(*) AS n FROM ${table}`)])),
    }
  } finally {
    database.close()
  }
}

/** Throws when SQLite finds a fault in the file. */
export function assertSound(database: Database.Database, file: string): void {
  const [first] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
  if (first?.integrity_check !== 'ok')
    throw new Error(`${file} is damaged: ${first?.integrity_check}. Restore the last backup.`)
}
