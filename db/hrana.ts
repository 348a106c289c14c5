/**
 * Sends statements to libSQL in one request: Hrana 2 over JSON, as `@libsql/client` speaks it. That one builds each request
 * and each row through several layers of objects, which cost a prediction more than its queries.
 *
 * A request that surely changed nothing is repeated while the fault may pass. Each batch of writes leaves a receipt, so
 * that a lost answer can be decided: see `settle`.
 */
import { type InArgs, type InStatement, type InValue, LibsqlBatchError } from '@libsql/client/web'
import { DatabaseFault, type Outcome } from './database-failure.ts'
import { readUnread, type UnreadValue, unreadIn } from './long-answer.ts'
import { LongText, type PartStatement, storeLongTexts } from './long-text.ts'
import { changesSchema, mayWrite } from './may-write.ts'
import { namedRows } from './named-rows.ts'
import { isTooLarge, readPaged } from './paged-read.ts'
import { errorOf, type Network, openPipeline, type WireError } from './pipeline.ts'
import { newReceipt } from './receipts.ts'
import { repeat } from './repeat.ts'
import { mismatchOf, readSchema, schemaIs } from './schema-check.ts'
import type { Answer, Sender } from './sender.ts'
import { createTraffic, type Traffic } from './traffic.ts'

export type { Network }

/** Milliseconds until an answer counts as lost. A write may have to wait for others. */
const READ_MS = 15_000
const WRITE_MS = 20_000

/** An answer, and what of it must be read yet. */
type ReadAnswer = Answer & { unread: UnreadValue[] }

type WireValue =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string }

interface WireStatement {
  sql: string
  args: WireValue[]
  want_rows: true
}

interface WireResult {
  cols: { name: string | null; decltype?: string | null }[]
  rows: WireValue[][]
  affected_row_count: number
  last_insert_rowid: string | null
}

interface BatchResult {
  step_results: (WireResult | null)[]
  step_errors: (WireError | null)[]
}

interface DatabaseOptions {
  url: string
  authToken?: string | undefined
  /** See `schema-version.ts`; absent for a database with any schema. */
  schemaVersion?: number | undefined
  traffic?: Traffic | undefined
}

export function openHrana(
  { url, authToken, schemaVersion, traffic = createTraffic() }: DatabaseOptions,
  network: Network,
): Sender {
  const send = openPipeline({ url, authToken, traffic }, network)
  const read = reader(traffic)
  const batches = openBatches(send, { schemaVersion, read })
  const { runBatch } = batches
  const write = writer(traffic, { read, runBatch })

  const readOne = async (stmt: WireStatement) => answerOf(await send<WireResult>({ type: 'execute', stmt }, READ_MS))

  async function whole(answers: ReadAnswer[], ask: (stmt: WireStatement) => Promise<ReadAnswer>): Promise<Answer[]> {
    const unread = answers.flatMap((answer) => answer.unread)
    if (unread.length > 0) await readUnread(unread, async (statement) => (await ask(ownToWire(statement))).values)
    return answers
  }

  /** Reads each statement by itself, and in pages if need be, after their common answer was too long. */
  async function readApart(statements: WireStatement[], error: unknown): Promise<ReadAnswer[]> {
    if (!isTooLarge(error)) throw error
    const answers: ReadAnswer[] = []
    for (const statement of statements)
      answers.push(await readPaged(statement.sql, (sql) => readOne({ ...statement, sql })))
    return answers
  }

  /**
   * Writes, and reads after that what the batch asks for last, when their common answer is too long: such a batch is
   * rolled back.
   */
  async function writeThenRead(statements: WireStatement[]): Promise<ReadAnswer[]> {
    const writes = statements.findLastIndex(({ sql }) => mayWrite(sql)) + 1
    try {
      return await write(statements)
    } catch (error) {
      if (!isTooLarge(error) || writes === statements.length) throw error
      const written = await write(statements.slice(0, writes))
      const answers = await read(() => readApart(statements.slice(writes), error)).catch(changedAlready)
      return [...written, ...answers]
    }
  }

  async function run(
    statements: InStatement[],
    readThem: (wired: WireStatement[]) => Promise<ReadAnswer[]>,
  ): Promise<Answer[]> {
    const texts = statements.flatMap(longTextsOf)
    const { references, statements: stored } = await storeLongTexts(texts)
    const wired = statements.map((statement) => toWire(statement, references))
    if (!wired.some(({ sql }) => mayWrite(sql)))
      return read(async () => whole(await readThem(wired).catch((error) => readApart(wired, error)), readOne))
    const parts = stored.map(ownToWire)
    const answers = await writeThenRead([...parts, ...wired])
    return whole(answers.slice(parts.length), (part) => read(() => readOne(part))).catch(changedAlready)
  }

  return {
    async execute(statement) {
      const [answer] = await run([statement], async (wired) =>
        batches.areChecked() ? [await readOne(wired[0] as WireStatement)] : runBatch(wired, READ_MS),
      )
      return answer as Answer
    },
    batch: (statements) => run(statements, (wired) => runBatch(wired, READ_MS)),
  }
}

/**
 * Returns what writes a batch, and decides by its receipt what became of it when its answer is lost. A change of tables
 * has no receipt, because it may come before the table of receipts.
 */
function writer(
  traffic: Traffic,
  { read, runBatch }: Pick<ReturnType<typeof openBatches>, 'runBatch'> & { read: ReturnType<typeof reader> },
): (statements: WireStatement[]) => Promise<ReadAnswer[]> {
  /** Returns what became of the batch with this receipt. If it is still under way, it fails from now on. */
  async function settle(id: string): Promise<Outcome> {
    try {
      const [, kept] = await read(() => runBatch(voidReceipt(id), WRITE_MS))
      return kept?.values[0]?.[0] === 0 ? 'written' : 'nothing-done'
    } catch (error) {
      console.error('A write of which nobody knows whether it was done:', (error as Error).message)
      return 'unknown'
    }
  }

  return (statements) =>
    repeat(traffic, async () => {
      if (statements.some(({ sql }) => changesSchema(sql))) return runBatch(statements, WRITE_MS)
      const id = newReceipt()
      try {
        const answers = await runBatch([...statements, receipt(id)], WRITE_MS)
        return answers.slice(0, -1)
      } catch (error) {
        if (!(error instanceof DatabaseFault) || error.outcome !== 'unknown') throw error
        throw error.decided(await settle(id), () => settle(id))
      }
    })
}

/** Until the schema has been right once, each transaction begins with the question whether it is. */
function openBatches(
  send: ReturnType<typeof openPipeline>,
  { schemaVersion, read }: Pick<DatabaseOptions, 'schemaVersion'> & { read: ReturnType<typeof reader> },
) {
  let unchecked = schemaVersion

  const ask = async (statements: WireStatement[], timeoutMs: number) =>
    readAnswers(
      await send<BatchResult>({ type: 'batch', batch: { steps: transactionOf(statements) } }, timeoutMs),
      statements.length,
    )

  return {
    areChecked: () => unchecked === undefined,
    async runBatch(statements: WireStatement[], timeoutMs: number): Promise<ReadAnswer[]> {
      const version = unchecked
      if (version === undefined) return ask(statements, timeoutMs)
      try {
        const answers = await ask([ownToWire(schemaIs(version)), ...statements], timeoutMs)
        unchecked = undefined
        return answers.slice(1)
      } catch (error) {
        if (!(error instanceof LibsqlBatchError)) throw error
        if (error.statementIndex > 0) throw new LibsqlBatchError(error.message, error.statementIndex - 1, error.code)
        throw mismatchOf(await newestMigration(() => read(() => ask([ownToWire(readSchema)], READ_MS))), version)
      }
    },
  }
}

/**
 * Each step runs when the one before it did; the last one when COMMIT did not. Who writes takes the turn first: sqld
 * refuses a write when another came between what was read and it.
 */
function transactionOf(statements: WireStatement[]): object[] {
  const begin = statements.some(({ sql }) => mayWrite(sql)) ? 'BEGIN IMMEDIATE' : 'BEGIN DEFERRED'
  const all = [{ sql: begin }, ...statements, { sql: 'COMMIT' }]
  const steps = all.map((stmt, step) => (step === 0 ? { stmt } : { stmt, condition: { type: 'ok', step: step - 1 } }))
  const notCommitted = { type: 'not', cond: { type: 'ok', step: all.length - 1 } }
  return [...steps, { stmt: { sql: 'ROLLBACK' }, condition: notCommitted }]
}

const receipt = (id: string) => ownToWire({ sql: 'insert into write_receipts (id, is_void) values (?, 0)', args: [id] })

const voidReceipt = (id: string) => [
  ownToWire({ sql: 'insert or ignore into write_receipts (id, is_void) values (?, 1)', args: [id] }),
  ownToWire({ sql: 'select is_void from write_receipts where id = ?', args: [id] }),
]

const reader =
  (traffic: Traffic) =>
  <Result>(ask: () => Promise<Result>): Promise<Result> =>
    repeat(traffic, () => ask().catch(changedNothing))

/** Undefined when the database has no table of migrations. */
async function newestMigration(readNewest: () => Promise<Answer[]>): Promise<number | undefined> {
  try {
    const [answer] = await readNewest()
    return Number(answer?.values[0]?.[0])
  } catch (error) {
    if (error instanceof DatabaseFault) throw error
    return undefined
  }
}

/** A read whose answer is lost may be repeated. */
function changedNothing(error: unknown): never {
  if (!(error instanceof DatabaseFault) || error.outcome !== 'unknown') throw error
  throw error.decided('nothing-done')
}

/** What was to be read after a write is lost, and the write is done. */
function changedAlready(error: unknown): never {
  if (error instanceof DatabaseFault) throw error.decided('written')
  throw new DatabaseFault(error instanceof Error ? error.message : String(error), 'written', { cause: error })
}

/** Throws the error of the first statement that failed, with its index. */
function readAnswers({ step_results: results, step_errors: errors }: BatchResult, count: number): ReadAnswer[] {
  const failed = errors.findIndex((error, step) => error !== null && step <= count + 1)
  if (failed > 0 && failed <= count) {
    const { message, code } = errors[failed] as WireError
    const error = errorOf({ message, code })
    throw error instanceof DatabaseFault ? error : new LibsqlBatchError(message, failed - 1, code ?? 'UNKNOWN')
  }
  if (failed >= 0) throw errorOf(errors[failed] as WireError)
  return results.slice(1, count + 1).map((result) => answerOf(result as WireResult))
}

const isOfBlobs = (column: WireResult['cols'][number] | undefined): boolean => /blob/i.test(column?.decltype ?? '')

function answerOf(result: WireResult): ReadAnswer {
  const columns = result.cols.map(({ name }) => name ?? '')
  const unread: UnreadValue[] = []
  const values = result.rows.map((wired) => {
    const row = wired.map(fromWire)
    for (const [column, value] of wired.entries()) {
      // What people store as bytes is never taken for a place to read from.
      const found = value.type === 'blob' && !isOfBlobs(result.cols[column]) && unreadIn(value.base64)
      if (!found) continue
      row[column] = found
      unread.push({ row, column })
    }
    return row
  })
  return {
    columns,
    values,
    unread,
    get rows() {
      return namedRows(columns, values)
    },
    rowsAffected: result.affected_row_count,
    lastInsertRowid: result.last_insert_rowid === null ? undefined : BigInt(result.last_insert_rowid),
  }
}

const argsOf = (statement: InStatement): unknown[] =>
  typeof statement === 'string' ? [] : positional(statement.args ?? [])

const longTextsOf = (statement: InStatement): LongText[] =>
  argsOf(statement).filter((value) => value instanceof LongText)

/** @param references what stands for each long text */
function toWire(statement: InStatement, references: ReadonlyMap<string, Uint8Array>): WireStatement {
  const args = argsOf(statement).map((value) =>
    valueToWire(value instanceof LongText ? (references.get(value.text) as Uint8Array) : (value as InValue)),
  )
  return { sql: typeof statement === 'string' ? statement : statement.sql, args, want_rows: true }
}

/** A statement without long texts. */
const ownToWire = ({ sql, args }: PartStatement): WireStatement => ({
  sql,
  args: args.map(valueToWire),
  want_rows: true,
})

function positional(args: InArgs): InValue[] {
  if (Array.isArray(args)) return args as InValue[]
  throw new TypeError('Parameters are sent by their places')
}

function valueToWire(value: InValue): WireValue {
  if (value === null) return { type: 'null' }
  switch (typeof value) {
    case 'string':
      return { type: 'text', value }
    case 'number':
      if (!Number.isFinite(value)) throw new RangeError('Only finite numbers can be stored')
      return { type: 'float', value }
    case 'bigint':
      return { type: 'integer', value: String(value) }
    case 'boolean':
      return { type: 'integer', value: value ? '1' : '0' }
  }
  if (value instanceof Date) return { type: 'float', value: value.getTime() }
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
    return {
      type: 'blob',
      base64: Buffer.from(value as Uint8Array)
        .toString('base64')
        .replaceAll('=', ''),
    }
  }
  throw new TypeError('A value of this type cannot be stored')
}

function fromWire(value: WireValue): unknown {
  switch (value.type) {
    case 'null':
      return null
    case 'integer':
      return safeInteger(value.value)
    case 'blob': {
      const bytes = Buffer.from(value.base64, 'base64')
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    }
    default:
      return value.value
  }
}

function safeInteger(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  throw new RangeError('Received integer which is too large to be safely represented as a JavaScript number')
}
