/**
 * A change that reads, decides and writes. The reads go out at once; the writes wait and go out together, in one batch
 * that is refused when anything that was read is different by then.
 */
import { type InStatement, LibsqlBatchError } from '@libsql/client/web'
import { HeddleError } from '#contract/errors.ts'
import { mayWrite } from './may-write.ts'
import type { Answer, Sender } from './sender.ts'
import { type Database, handleFor, senderOf } from './tenant-guard.ts'

/** Those who change the same rows at one moment get through one by one: the others begin again. */
const MAX_ATTEMPTS = 10
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 320

/**
 * Does the work on a handle of its own and returns its result, once what it wrote is stored. The work may be done several
 * times and must have no other effects. It may not read a table that it has written, nor see what a write answers.
 * Throws `unavailable` when others keep changing what it reads.
 */
export async function changeAtOnce<Result>(
  database: Database,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const sender = senderOf(database)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const unit = openUnit(sender)
    const result = await work(handleFor(database, unit.sender))
    if (await unit.commit()) return result
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longest))
  }
  throw new HeddleError('unavailable', 'Others keep changing the same things. Nothing was changed. Try again.', {
    retryAfterSeconds: 1,
  })
}

interface PlainStatement {
  sql: string
  args: unknown[]
}

function openUnit(sender: Sender) {
  const checks: PlainStatement[] = []
  const writes: PlainStatement[] = []

  async function send(given: InStatement[]): Promise<Answer[]> {
    const statements = given.map(plain)
    if (statements.every(({ sql }) => mayWrite(sql))) {
      writes.push(...statements)
      return statements.map(unknownAnswer)
    }
    for (const { sql } of statements) assertReadsFirst(sql, writes)
    const answers = await sender.batch(given)
    checks.push(...statements.map((statement, index) => checkOf(statement, answers[index] as Answer)))
    return answers
  }

  return {
    sender: {
      execute: async (statement) => (await send([statement]))[0] as Answer,
      batch: send,
    } satisfies Sender,
    /** Returns false, and has changed nothing, when something that was read has changed. */
    async commit(): Promise<boolean> {
      if (writes.length === 0) return true
      try {
        await sender.batch([...checks, ...writes] as InStatement[])
        return true
      } catch (error) {
        if (error instanceof LibsqlBatchError && error.statementIndex < checks.length) return false
        throw error
      }
    },
  }
}

const plain = (statement: InStatement): PlainStatement =>
  typeof statement === 'string'
    ? { sql: statement, args: [] }
    : { sql: statement.sql, args: (statement.args ?? []) as unknown[] }

const TABLE_OF_WRITE = /^\s*(?:insert(?: or \w+)? into|update|delete from)\s+("\w+")/i

function assertReadsFirst(sql: string, writes: readonly PlainStatement[]): void {
  if (mayWrite(sql)) throw new Error('Reads and writes of a unit of work do not share a batch')
  for (const write of writes) {
    const [, table] = TABLE_OF_WRITE.exec(write.sql) ?? []
    if (table !== undefined && !sql.includes(table)) continue
    throw new Error(`A unit of work reads ${table ?? 'a table'} after it has written to it`)
  }
}

function unknownAnswer(): Answer {
  const refuse = (): never => {
    throw new Error('What a write answers is not known before the unit of work ends')
  }
  return {
    columns: [],
    get values() {
      return refuse()
    },
    get rows() {
      return refuse()
    },
    get rowsAffected() {
      return refuse()
    },
    lastInsertRowid: undefined,
  }
}

/** Returns the statement that fails unless the read finds the same rows, in whatever order. */
function checkOf({ sql, args }: PlainStatement, { columns, values }: Answer): PlainStatement {
  const names = columns.map((_, index) => `c${index}`)
  const line = names.map((name) => `iif(${name} is null, '-', hex(${name}))`).join(" || ',' || ")
  const found = `select group_concat(line, ';') from (select ${line} as line from found order by line)`
  const lines = values.map((row) => row.map(hexOf).join(','))
  return {
    sql: `with found(${names.join(', ')}) as (${sql}) select json(iif((${found}) is ?, '1', ''))`,
    args: [...args, lines.length === 0 ? null : lines.sort().join(';')],
  }
}

function hexOf(value: unknown): string {
  if (value === null) return '-'
  const bytes = value instanceof ArrayBuffer ? Buffer.from(value) : Buffer.from(String(value))
  return bytes.toString('hex').toUpperCase()
}
