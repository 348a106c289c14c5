/** Statements whose text is made once for each database handle; each use only brings its values. */
import { is, Param, Placeholder, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Answer } from './sender.ts'
import { type Database, originalOf } from './tenant-guard.ts'

type Statement = BatchItem<'sqlite'>
type Values = Record<string, unknown>

/** A Drizzle statement whose SQL has been built. */
interface Prepared {
  getQuery(): { sql: string; params: unknown[] }
  mapResult(answer: unknown, isFromBatch: true): unknown
}

/** Stands for a value that each use of the statement brings. */
export const slot = (name: string): SQL<string> => sql<string>`${sql.placeholder(name)}`

/** Slots for columns of the same names, to insert a row. They pass for any row's type. */
export function slotsFor<Row extends object>(...columns: (keyof Row & string)[]): Row {
  return Object.fromEntries(columns.map((column) => [column, sql.placeholder(column)])) as Row
}

/**
 * Returns a function that makes the statement for a batch. `build` sees only the database and the variant, so that no
 * value of one call can stay in the text for the next. The workspace guard checks each text when it is built.
 * @param build names the values with `slot` or `sql.placeholder`
 */
export function prepareStatement<Built extends Statement, Variant extends string | undefined = undefined>(
  build: (db: Database, variant: Variant) => Built,
): (db: Database, values: Values, ...variant: Variant extends undefined ? [] : [Variant]) => Built {
  const cached = new WeakMap<Database, Map<string | undefined, Prepared>>()
  return (handle, values, ...[variant]) => {
    const db = originalOf(handle)
    const variants = cached.get(db) ?? new Map<string | undefined, Prepared>()
    cached.set(db, variants)
    const known = variants.get(variant)
    const prepared = known ?? prepare(build(db, variant as Variant))
    if (!known) variants.set(variant, prepared)
    return bind(prepared, values) as unknown as Built
  }
}

const prepare = (statement: Statement) => (statement as unknown as { prepare(): Prepared }).prepare()

/** Looks to Drizzle's batch like a builder that has built already. */
function bind(prepared: Prepared, values: Values) {
  const { sql: text, params } = prepared.getQuery()
  const query = { sql: text, params: params.map((param) => valueFor(param, values)) }
  const bound = {
    getQuery: () => query,
    // Each field by its name: to copy the answer would make its named rows.
    mapResult: ({ columns, values: rows, rowsAffected, lastInsertRowid }: Answer) =>
      prepared.mapResult({ columns, rows, rowsAffected, lastInsertRowid }, true),
  }
  return { _prepare: () => bound }
}

function valueFor(param: unknown, values: Values): unknown {
  const placeholder = is(param, Param) ? param.value : param
  if (!is(placeholder, Placeholder)) return param
  const value = values[placeholder.name as string]
  if (value === undefined) throw new Error(`The statement lacks its value "${placeholder.name}"`)
  return is(param, Param) && value !== null ? param.encoder.mapToDriverValue(value) : value
}
