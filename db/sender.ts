/** What takes the statements of a database handle, and its answers. */
import type { InStatement } from '@libsql/client/web'

/** The result of one statement. Each row is a list of values in the order of the columns. */
export interface Answer {
  columns: string[]
  values: unknown[][]
  /** The values by their columns' names and, as lists are read, by their numbers. */
  readonly rows: Record<string, unknown>[]
  rowsAffected: number
  lastInsertRowid: bigint | undefined
}

/** Sends the statements of a database handle. */
export interface Sender {
  execute(statement: InStatement): Promise<Answer>
  /** In one transaction, which changes nothing when a statement fails. */
  batch(statements: InStatement[]): Promise<Answer[]>
}
