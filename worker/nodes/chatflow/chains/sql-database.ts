/** A database that is reached over HTTP, read by statements that a model wrote. */
import { textOf } from '../../../inputs/node-inputs.ts'
import type { StepContext } from '../../types.ts'

export type Row = Record<string, unknown>

interface SqlTable {
  name: string
  /** Its columns, as a model reads them. */
  definition: string
}

export interface SqlDatabase {
  /** As a model knows it. */
  dialect: string
  /** Throws an Error with the database's message. */
  query(statement: string): Promise<Row[]>
  tables(): Promise<SqlTable[]>
  /** The name of a table, quoted. */
  quoted(name: string): string
  /** Throws an Error that says why the statement must not be run. */
  assertReads(statement: string): void
}

export type Outside = Pick<StepContext, 'egress' | 'signal'>

export const DATABASE_LIMITS = { timeoutMs: 30_000, maxBytes: 2_000_000 }

const WRITES = /\b(insert|update|delete|replace|drop|alter|create|attach|detach|pragma|vacuum|reindex)\b/i

/** @param bare the statement without texts, quoted names and comments, as its database reads them */
export function assertOneReading(statement: string, bare: string): void {
  if (!/^(select|with)\b/i.test(statement)) throw new Error('Only SELECT statements are run')
  if (bare.includes(';')) throw new Error('Only one statement is run')
  if (WRITES.test(bare)) throw new Error('Only statements that read are run')
}

/** Groups columns, a row each and in order, by table: `people (name text, age integer)`. */
export function tablesOfColumns(columns: readonly Row[]): SqlTable[] {
  const tables = new Map<string, string[]>()
  for (const { name, column, type } of columns) {
    const known = tables.get(textOf(name)) ?? []
    tables.set(textOf(name), [...known, `${textOf(column)} ${textOf(type)}`])
  }
  return [...tables].map(([name, parts]) => ({ name, definition: `${name} (${parts.join(', ')})` }))
}
