/** Checks of what a database holds, in a file or on a server, and of the files that it names. */
import { errorMessage } from '#contract/errors.ts'
import { trySealedValues } from '../backup/sealed-values.ts'
import { type Installation, readKeys, type Secrets } from '../environment.ts'
import { compareMigrations, MOVE_MARK, UNFINISHED_MOVE } from '../migrate.ts'
import { type Query, readFileRows } from '../move/query.ts'
import { CLOCK_TOLERANCE_MS, type Finding, fail, ok, warn } from './findings.ts'

interface Content {
  installation: Installation
  query: Query
  /** Returns the bytes of each file that is stored, by its key. Undefined where files cannot be reached. Throws a sentence for people. */
  sizes: (() => Promise<Map<string, number>>) | undefined
  now: Date
}

/** Checks in order. They end at migrations that this version does not know. Throws when the database does not answer. */
export async function* checkContent({ installation, query, sizes, now }: Content): AsyncGenerator<Finding> {
  const migrations = await checkMigrations(query, Boolean(installation.database))
  yield migrations
  if (migrations.level === 'fail') return
  if (sizes) yield await checkFiles(query, sizes)
  yield await checkKey(query, installation)
  yield await checkNewest(query, now)
}

async function checkMigrations(query: Query, isServer: boolean): Promise<Finding> {
  const tables = (
    await query(`SELECT name FROM sqlite_master WHERE name IN ('${MOVE_MARK}', '__drizzle_migrations')`)
  ).map(({ name }) => name)
  if (tables.includes(MOVE_MARK)) return fail(UNFINISHED_MOVE)
  if (tables.length === 0)
    return fail(
      `The database has no tables of Heddle. ${isServer ? 'Run npm run db:migrate for a new one, or correct LIBSQL_URL.' : 'Start it once with npm start, or set DATA_DIR to its folder.'}`,
    )
  const rows = await query('SELECT created_at AS time FROM __drizzle_migrations')
  const { missing, unknown } = compareMigrations(rows.map(({ time }) => Number(time)))
  if (unknown > 0)
    return fail('A newer version of Heddle has migrated the database. Run that version, or restore a backup.')
  if (missing > 0 && isServer)
    return fail(`The database lacks ${missing} migrations of this version. Back up, then run npm run db:migrate.`)
  if (missing > 0) return warn(`The next start applies ${missing} migrations. Back up before it.`)
  return ok('The database has every migration of this version')
}

const MAX_NAMED = 5

/** Compares rows with what is stored. */
async function checkFiles(query: Query, sizes: NonNullable<Content['sizes']>): Promise<Finding> {
  // Rows first: a file that is stored meanwhile is there when its row is.
  const rows = await readFileRows(query)
  const stored = await sizes().catch(errorMessage)
  if (typeof stored === 'string') return fail(`The files were not compared: ${stored.replaceAll('\n', '. ')}`)
  const lost = rows.filter(({ key, size }) => stored.get(key) !== size)
  if (lost.length === 0) return ok(`All ${rows.length} files are there, each with its size`)
  const named = lost.slice(0, MAX_NAMED).map(({ key, name }) => `${name} (${key})`)
  return fail(
    `${lost.length} of ${rows.length} files are missing or have another size: ${named.join(', ')}. ` +
      'Restore a backup elsewhere, and upload them again from there.',
  )
}

async function checkKey(query: Query, installation: Installation): Promise<Finding> {
  const keys = findKeys(installation)
  if (typeof keys === 'string') return fail(keys)
  const { all, unreadable } = await trySealedValues(query, keys)
  if (unreadable.length === 0) return ok(`The master key opens all ${all} values that it sealed`)
  return fail(
    `The master key does not open ${unreadable.length} of ${all} values, such as ${unreadable[0]}. ` +
      'Put back the keys of the time when they were stored.',
  )
}

/** Returns a sentence when a key is missing. */
function findKeys(installation: Installation): Secrets | string {
  try {
    return readKeys(installation)
  } catch (error) {
    return errorMessage(error)
  }
}

async function checkNewest(query: Query, now: Date): Promise<Finding> {
  const newest = (await query(NEWEST))[0]?.newest
  const ahead = newest ? Date.parse(String(newest)) - now.getTime() : 0
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
