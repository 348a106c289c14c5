/** Tells whether a master key opens what a database has sealed. */
import { createCipher } from '../../ports/cipher.ts'
import { SEALED_COLUMNS, type SealedColumn } from '../../ports/sealed.ts'
import { type Query, readPages } from '../move/query.ts'

interface MasterKeys {
  MASTER_KEY: string
  MASTER_KEY_PREVIOUS?: string
}

interface SealedValues {
  all: number
  /** As `table.column key`. */
  unreadable: string[]
}

/** Tries every value that a master key has sealed. Everything else is sealed with what is in them. */
export async function trySealedValues(query: Query, keys: MasterKeys): Promise<SealedValues> {
  const cipher = createCipher(keys.MASTER_KEY, keys.MASTER_KEY_PREVIOUS)
  const values: SealedValues = { all: 0, unreadable: [] }
  for (const sealed of SEALED_COLUMNS) {
    const { table, column, purposeOf } = sealed
    for await (const { id, value } of readSealed(query, sealed)) {
      values.all++
      await cipher.renew(value, purposeOf(id)).catch(() => values.unreadable.push(`${table}.${column} ${id}`))
    }
  }
  return values
}

const ROWS_AT_ONCE = 200

/** Yields the values of a column in the order of its key, a page at a time. */
export async function* readSealed(
  query: Query,
  { table, column, key }: SealedColumn,
): AsyncGenerator<{ id: string; value: string }> {
  const sql = `SELECT ${key} AS key, ${column} AS value FROM ${table}`
  for await (const row of readPages(query, sql, ROWS_AT_ONCE)) yield { id: String(row.key), value: String(row.value) }
}
