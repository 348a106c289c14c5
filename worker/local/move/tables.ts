/** Copies a database as it is, table by table, and compares the copy. Rowids stay, because search indexes refer to them. */
import { createHash } from 'node:crypto'
import { type Client, createClient, type InStatement, type InValue, type Row } from '@libsql/client/web'
import { errorMessage } from '#contract/errors.ts'
import { type DatabaseAddress, MOVE_MARK } from '../migrate.ts'

const ROWS_AT_ONCE = 500
/** Less than the 10 MB that sqld answers, whose blobs grow by a third on the way. */
const BYTES_AT_ONCE = 2_000_000
/** Tables in which FTS5 keeps an index. */
const FTS_PARTS = ['data', 'idx', 'content', 'docsize', 'config']

interface SchemaItem {
  type: 'table' | 'index' | 'trigger' | 'view'
  name: string
  sql: string
}

interface Table {
  name: string
  /** All columns, the rowid among them. */
  columns: string[]
  /** Those by which rows are ordered. */
  key: string[]
}

/** A server, or a transaction on it. */
type Reader = Pick<Client, 'execute'>

/** The rows and the SHA-256 of each table. */
type Sums = Map<string, { rows: number; hash: string }>

export const openClient = ({ url, authToken }: DatabaseAddress): Client =>
  createClient({ url, intMode: 'bigint', ...(authToken !== undefined && { authToken }) })

/** Opens the server at LIBSQL_URL. Throws a sentence for people when it does not answer. */
export async function openServer(address: DatabaseAddress): Promise<Client> {
  const client = openClient(address)
  try {
    await client.execute('SELECT 1')
    return client
  } catch (error) {
    client.close()
    throw new Error(explainServerFailure(error), { cause: error })
  }
}

/** Says which setting is wrong when the server at LIBSQL_URL does not do what it is asked. */
export function explainServerFailure(error: unknown): string {
  const reason = `The database server at LIBSQL_URL: ${errorMessage(error)}`
  return /\b40[13]\b|unauthorized|access token/i.test(reason)
    ? `${reason}. Correct LIBSQL_AUTH_TOKEN.`
    : `${reason}. Look at its log, and correct LIBSQL_URL.`
}

/** Returns `new` for an empty database, and `begun` for one that a move of this installation has not finished. */
export async function stateOfTarget(target: Client, installationId: string): Promise<'new' | 'begun' | 'in use'> {
  const names = (await readSchema(target)).map(({ name }) => name)
  if (names.length === 0) return 'new'
  if (!names.includes(MOVE_MARK)) return 'in use'
  const { rows } = await target.execute(`SELECT source FROM ${MOVE_MARK}`)
  return rows[0]?.source === installationId ? 'begun' : 'in use'
}

export async function markTarget(target: Client, installationId: string): Promise<void> {
  await target.batch([
    `CREATE TABLE ${MOVE_MARK} (source text NOT NULL)`,
    { sql: `INSERT INTO ${MOVE_MARK} VALUES (?)`, args: [installationId] },
  ])
}

export const unmarkTarget = (target: Client) => target.execute(`DROP TABLE ${MOVE_MARK}`)

/** The id of an installation's first workspace, which it never loses. */
export async function readInstallationId(client: Client): Promise<string> {
  const { rows } = await client.execute('SELECT id FROM workspaces ORDER BY created_date, id LIMIT 1')
  return String(rows[0]?.id ?? '')
}

/** Copies what the target lacks. May be stopped anywhere and repeated: each table goes on after the last row that it has. */
export async function copyTables(source: Reader, target: Client, say: (text: string) => void): Promise<void> {
  const items = await readSchema(source)
  assertCopied(items)
  const present = new Set((await readSchema(target)).map(({ name }) => name))
  const isMissing = ({ name }: SchemaItem) => !present.has(name)
  const parts = new Set(items.filter(isFts).flatMap(({ name }) => FTS_PARTS.map((part) => `${name}_${part}`)))
  const tables = items.filter(({ type }) => type === 'table')
  for (const item of tables.filter(isMissing)) {
    if (parts.has(item.name)) continue
    const made = tables.flatMap(({ name }) =>
      isFts(item) && parts.has(name) && name.startsWith(`${item.name}_`) ? [name] : [],
    )
    // Before it has rows: an index without any has rows of its own.
    await target.migrate([item.sql, ...made.map((name) => `DELETE FROM ${quote(name)}`)])
  }
  for (const table of await readTables(source)) await copyRows(table, { source, target, say })
  // Triggers last: rows are written as they are, and cause nothing.
  for (const type of ['index', 'trigger'])
    for (const item of items.filter((each) => each.type === type && isMissing(each))) await target.execute(item.sql)
}

/** Throws a sentence for people when the copy would lack something that Heddle has none of: somebody else made it. */
function assertCopied(items: SchemaItem[]): void {
  const strange = items.find(({ type, sql }) => type === 'view' || /\bAUTOINCREMENT\b/i.test(sql))
  if (!strange) return
  const { type, name } = strange
  throw new Error(
    `The ${type} ${name} is none of Heddle's, and ${type === 'view' ? 'views' : 'tables with AUTOINCREMENT'} are not moved. Drop it, and try again.`,
  )
}

interface Copying {
  source: Reader
  target: Client
  say(text: string): void
}

async function copyRows(table: Table, { source, target, say }: Copying): Promise<void> {
  const columns = table.columns.map(quote).join(', ')
  const sql = `INSERT INTO ${quote(table.name)} (${columns}) VALUES (${table.columns.map(() => '?').join(', ')})`
  const [last] = await readPage(target, table, { limit: 1, isLast: true })
  let copied = 0
  for await (const rows of readRows(source, table, last)) {
    const statements = rows.map((row): InStatement => ({ sql, args: valuesOf(table, row) }))
    // In one transaction, and without foreign keys, which rows in this order may not keep yet.
    await target.migrate(statements).catch((error: Error) => {
      throw new Error(`The target refused rows of the table ${table.name}: ${error.message}`)
    })
    copied += rows.length
  }
  if (copied > 0) say(`${table.name}: ${copied} rows`)
}

/**
 * Copies one moment of a database in use into an empty one, and compares them: all reads are in one transaction, which keeps no
 * writer waiting. Throws a sentence for people, also when the server ends the transaction.
 */
export async function copySnapshot(source: Client, target: Client): Promise<void> {
  const snapshot = await source.transaction('deferred')
  const reader: Reader = {
    execute: (statement: InStatement) =>
      snapshot.execute(statement).catch((error: Error) => {
        throw new Error(`The database server broke off the copy: ${error.message}. Try again when it is less busy.`)
      }),
  }
  try {
    // First: the copy ends with its indexes, which may take longer than a server keeps a transaction that is asked nothing.
    const sums = await sumTables(reader)
    await copyTables(reader, target, () => {})
    compareSums(sums, await sumTables(target))
  } finally {
    snapshot.close()
  }
}

/** Throws a sentence for people that names the first table that differs. Returns the number of all rows. */
export async function compareTables(source: Client, target: Client): Promise<number> {
  const [ours, theirs] = await Promise.all([sumTables(source), sumTables(target)])
  return compareSums(ours, theirs)
}

function compareSums(ours: Sums, theirs: Sums): number {
  let all = 0
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const [from, to] = [ours.get(name), theirs.get(name)]
    if (from?.hash !== to?.hash || from?.rows !== to?.rows)
      throw new Error(
        `The table ${name} has ${from?.rows ?? 'no'} rows at the source and ${to?.rows ?? 'no'} in the copy, or others. Something wrote meanwhile: stop every Heddle on both, empty the target, and try again.`,
      )
    all += from?.rows ?? 0
  }
  return all
}

async function sumTables(client: Reader): Promise<Sums> {
  const sums: Sums = new Map()
  for (const table of await readTables(client)) {
    const hash = createHash('sha256')
    let rows = 0
    for await (const page of readRows(client, table)) {
      for (const row of page) hash.update(JSON.stringify(valuesOf(table, row).map(textOf)))
      rows += page.length
    }
    sums.set(table.name, { rows, hash: hash.digest('hex') })
  }
  return sums
}

const textOf = (value: InValue) =>
  value instanceof ArrayBuffer ? `blob ${Buffer.from(value).toString('base64')}` : `${typeof value} ${value}`

const valuesOf = ({ columns }: Table, row: Row): InValue[] => columns.map((_, index) => row[index] as InValue)

async function readSchema(client: Reader): Promise<SchemaItem[]> {
  const { rows } = await client.execute(
    `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql\\_%' ESCAPE '\\' ORDER BY rowid`,
  )
  return rows as unknown as SchemaItem[]
}

const isFts = ({ sql }: SchemaItem) => /^CREATE VIRTUAL TABLE/i.test(sql)

async function readTables(client: Reader): Promise<Table[]> {
  const items = (await readSchema(client)).filter(
    (item) => item.type === 'table' && item.name !== MOVE_MARK && !isFts(item),
  )
  const tables: Table[] = []
  for (const { name, sql } of items) tables.push(await readTable(client, name, sql))
  return tables
}

async function readTable(client: Reader, name: string, sql: string): Promise<Table> {
  const { rows } = await client.execute({
    sql: 'SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)',
    args: [name],
  })
  const own = rows.filter(({ hidden }) => Number(hidden) === 0)
  const columns = own.map((row) => String(row.name))
  const primary = own.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
  if (/WITHOUT ROWID\s*$/i.test(sql)) return { name, columns, key: primary.map((row) => String(row.name)) }
  const isRowid = primary.length === 1 && /^integer$/i.test(String(primary[0]?.type))
  if (isRowid) return { name, columns, key: [String(primary[0]?.name)] }
  return { name, columns: ['rowid', ...columns], key: ['rowid'] }
}

/** Yields pages of rows after `last`, in the order of the key. */
async function* readRows(client: Reader, table: Table, last?: Row): AsyncGenerator<Row[]> {
  for (let after = last; ; ) {
    const sizes = await readPage(client, table, { after, limit: ROWS_AT_ONCE, isSize: true })
    if (sizes.length === 0) return
    const rows = await readPage(client, table, { after, limit: countFitting(sizes.map(({ bytes }) => Number(bytes))) })
    yield rows
    after = rows.at(-1)
  }
}

/** Returns how many of these sizes go into one answer: one at least. */
function countFitting(sizes: number[]): number {
  let count = 0
  for (let bytes = 0; count < sizes.length && bytes + (sizes[count] ?? 0) <= BYTES_AT_ONCE; count++)
    bytes += sizes[count] ?? 0
  return Math.max(1, count)
}

interface Page {
  after?: Row | undefined
  limit: number
  /** From the end. */
  isLast?: boolean
  /** The bytes of each row in place of what it holds. */
  isSize?: boolean
}

async function readPage(client: Reader, table: Table, { after, limit, isLast, isSize }: Page): Promise<Row[]> {
  const { name, columns, key } = table
  const bytes = columns.map((column) => `coalesce(octet_length(${quote(column)}), 0)`).join(' + ')
  const order = key.map((column) => `${quote(column)}${isLast ? ' DESC' : ''}`).join(', ')
  const where = after ? `WHERE (${key.map(quote).join(', ')}) > (${key.map(() => '?').join(', ')})` : ''
  const sql = `SELECT ${isSize ? `${bytes} AS bytes` : columns.map(quote).join(', ')} FROM ${quote(name)} ${where} ORDER BY ${order} LIMIT ${limit}`
  const args = after ? key.map((column) => after[columns.indexOf(column)] as InValue) : []
  return (await client.execute({ sql, args })).rows
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
