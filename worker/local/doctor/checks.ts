/** Checks of an installation on one machine. None changes anything, and each runs beside a running Heddle. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { trySealedValues } from '../backup/sealed-values.ts'
import { blobFile, listBuckets, listObjects } from '../backup/snapshot.ts'
import { readSecretsFile } from '../environment.ts'
import { lockDataDir } from '../lock.ts'
import { compareMigrations } from '../migrate.ts'
import { explainStorageFailure } from './storage-failure.ts'

interface Finding {
  level: 'ok' | 'warn' | 'fail'
  /** What was found, and for the others what to do. */
  text: string
}

const ok = (text: string): Finding => ({ level: 'ok', text })
const warn = (text: string): Finding => ({ level: 'warn', text })
const fail = (text: string): Finding => ({ level: 'fail', text })

const MB = 1024 ** 2
const GB = 1024 ** 3
const OLDEST_NODE = 20
/** Milliseconds that a row may be newer than the clock. */
const CLOCK_TOLERANCE_MS = 60_000

/** Returns a finding of each check, in order. Those of the database end at the first that it cannot answer. */
export async function examine(dataDir: string, now = new Date()): Promise<Finding[]> {
  const findings = [checkNode(process.versions.node), checkFolder(dataDir)]
  if (findings.some(({ level }) => level === 'fail')) return findings
  findings.push(checkLock(dataDir), checkSpace(dataDir))
  try {
    return [...findings, ...(await checkDatabase(dataDir, now))]
  } catch (error) {
    return [...findings, fail((explainStorageFailure(error, dataDir) as Error).message)]
  }
}

function checkNode(version: string): Finding {
  if (Number.parseInt(version, 10) >= OLDEST_NODE) return ok(`Node ${version}`)
  return fail(`Node ${version} is too old. Install Node ${OLDEST_NODE} or newer.`)
}

function checkFolder(dataDir: string): Finding {
  if (!existsSync(join(dataDir, 'heddle.db')))
    return fail(`There is no Heddle in ${dataDir}. Set DATA_DIR to its folder, or start it once with npm start.`)
  try {
    for (const name of ['.', 'heddle.db']) accessSync(join(dataDir, name), constants.R_OK | constants.W_OK)
  } catch (error) {
    return fail((explainStorageFailure(error, dataDir) as Error).message)
  }
  const { mode } = statSync(join(dataDir, 'secrets.json'), { throwIfNoEntry: false }) ?? { mode: 0 }
  if (process.platform !== 'win32' && mode & 0o077)
    return warn(`Others on this machine may read ${dataDir}/secrets.json. Run chmod 600 on it.`)
  return ok(`Data folder ${dataDir}`)
}

function checkLock(dataDir: string): Finding {
  try {
    lockDataDir(dataDir)()
    return ok('No Heddle is running on the folder')
  } catch {
    return ok('Heddle is running on the folder')
  }
}

function checkSpace(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const { size } = statSync(join(dataDir, 'heddle.db'))
  const text = `${(free / GB).toFixed(1)} GB are free on the disk`
  if (free < 100 * MB) return fail(`${text}. Free some space, or move the folder to a larger disk and set DATA_DIR.`)
  if (free < Math.max(GB, 3 * size))
    return warn(`${text}. A backup or an upgrade may not find enough: free some space.`)
  return ok(text)
}

async function checkDatabase(dataDir: string, now: Date): Promise<Finding[]> {
  const database = new Database(join(dataDir, 'heddle.db'))
  try {
    const integrity = checkIntegrity(database, dataDir)
    if (integrity.level === 'fail') return [integrity]
    const migrations = checkMigrations(database)
    if (migrations.level === 'fail') return [integrity, migrations]
    const rest = [checkFiles(database, dataDir), await checkKey(database, dataDir), checkClock(database, now)]
    return [integrity, migrations, ...rest]
  } finally {
    database.close()
  }
}

function checkIntegrity(database: Database.Database, dataDir: string): Finding {
  const [first] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
  if (first?.integrity_check === 'ok') return ok('The database is sound')
  const damage = Object.assign(new Error(first?.integrity_check), { code: 'SQLITE_CORRUPT' })
  return fail(`${(explainStorageFailure(damage, dataDir) as Error).message} SQLite says: ${first?.integrity_check}`)
}

function checkMigrations(database: Database.Database): Finding {
  const rows = database.prepare('SELECT created_at AS time FROM __drizzle_migrations').all() as { time: number }[]
  const { missing, unknown } = compareMigrations(rows.map(({ time }) => Number(time)))
  if (unknown > 0)
    return fail('A newer version of Heddle has migrated the database. Run that version, or restore a backup.')
  if (missing > 0) return warn(`The next start applies ${missing} migrations. Back up before it.`)
  return ok('The database has every migration of this version')
}

/** Compares rows with objects, and objects with the bytes on the disk. */
function checkFiles(database: Database.Database, dataDir: string): Finding {
  const sizes = new Map<string, number>()
  for (const name of listBuckets(dataDir)) {
    const bucket = new Database(join(dataDir, name))
    for (const { key, blob, size } of listObjects(bucket)) {
      const bytes = statSync(join(dataDir, blobFile(blob)), { throwIfNoEntry: false })?.size
      if (bytes === size) sizes.set(key, size)
    }
    bucket.close()
  }
  const rows = database.prepare(FILES).all() as { key: string; name: string; size: number }[]
  const lost = rows.filter(({ key, size }) => sizes.get(key) !== size)
  if (lost.length === 0) return ok(`All ${rows.length} files are there, each with its size`)
  const named = lost.slice(0, MAX_NAMED).map(({ key, name }) => `${name} (${key})`)
  return fail(
    `${lost.length} of ${rows.length} files are missing or have another size: ${named.join(', ')}. ` +
      'Restore a backup into a new folder, and upload them again from there.',
  )
}

const MAX_NAMED = 5

/** The key, name and size of each file whose bytes a bucket must have. */
export const FILES = `
  SELECT workspace_id || '/' || id AS key, name, size FROM files WHERE data IS NULL
  UNION
  SELECT workspace_id || '/' || object_id AS key, name, size FROM flow_sources
  UNION
  SELECT workspace_id || '/' || id AS key, name, size FROM document_sources WHERE is_stored`

async function checkKey(database: Database.Database, dataDir: string): Promise<Finding> {
  try {
    const { all, unreadable } = await trySealedValues(database, readSecretsFile(dataDir))
    if (unreadable.length === 0) return ok(`The master key opens all ${all} values that it sealed`)
    return fail(
      `The master key in secrets.json does not open ${unreadable.length} of ${all} values, such as ${unreadable[0]}. ` +
        'Put back the secrets.json of the time when they were stored.',
    )
  } catch (error) {
    return fail((error as Error).message)
  }
}

function checkClock(database: Database.Database, now: Date): Finding {
  const { newest } = database.prepare(NEWEST).get() as { newest: string | null }
  const ahead = newest ? Date.parse(newest) - now.getTime() : 0
  if (ahead > CLOCK_TOLERANCE_MS)
    return fail(
      `The clock says ${now.toISOString()}, but Heddle has stored something at ${newest}. Set the clock, or let NTP do it: ` +
        'schedules and sessions depend on it.',
    )
  return ok(`The clock says ${now.toISOString()}`)
}

const NEWEST = `SELECT max(newest) AS newest FROM (
  SELECT max(created_date) AS newest FROM audit_events
  UNION ALL SELECT max(created_date) FROM executions
  UNION ALL SELECT max(created_date) FROM users)`
