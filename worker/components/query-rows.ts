/** Queries a table that a run has read: libSQL reads it from the statement itself, so that nothing of it is stored. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import type { RowsQuery, Tables } from '../ports/types.ts'

const MAX_ROWS = 200
const MAX_PARTS = 20

type Value = string | number | null

export function openTables(db: Database): Tables {
  return {
    async query(table, query) {
      const found = await db.all<Record<string, unknown>>(buildStatement(table, query))
      return found.map((row) => Object.fromEntries(Object.values(row).map((value, at) => [nameOf(query, at), value])))
    },
  }
}

type Table = Parameters<Tables['query']>[0]

/** Names of columns are compared with those of the table, and never written into the statement. */
function buildStatement({ columns, rows }: Table, query: RowsQuery): SQL {
  const column = (name: string) => {
    const at = columns.indexOf(name)
    if (at < 0) throw new Error(`There is no column "${name}". The columns are: ${columns.join(', ')}`)
    return sql`json_extract(value, ${`$[${at}]`})`
  }
  const { select, where = [], groupBy = [], orderBy = [] } = query
  if (select.length === 0) throw new Error('Select a column')
  for (const parts of [select, where, groupBy, orderBy])
    if (parts.length > MAX_PARTS) throw new Error(`Use at most ${MAX_PARTS} columns and conditions`)
  const shown = select.map((one, at) => sql`${measured(one, column)} as ${sql.identifier(`c${at}`)}`)
  const held = where.map((one) => condition(column(one.column), one))
  const groups = groupBy.map(column)
  const order = orderBy.map((one) => sql`${measured(one, column)} ${one.descending ? sql`desc` : sql`asc`}`)
  const limit = Math.min(Math.max(Math.floor(query.limit ?? MAX_ROWS), 1), MAX_ROWS)
  const joined = (parts: SQL[], before: SQL, between: SQL) =>
    parts.length > 0 ? sql`${before} ${sql.join(parts, between)}` : sql``
  return sql`select ${sql.join(shown, sql`, `)} from json_each(${JSON.stringify(rows)}) ${joined(held, sql`where`, sql` and `)} ${joined(groups, sql`group by`, sql`, `)} ${joined(order, sql`order by`, sql`, `)} limit ${limit}`
}

type Measured = RowsQuery['select'][number]

function measured({ column: name, measure }: Measured, column: (name: string) => SQL): SQL {
  if (measure === 'count' && !name) return sql`count(*)`
  const value = column(name ?? '')
  switch (measure) {
    case 'count':
      return sql`count(${value})`
    case 'distinct':
      return sql`count(distinct ${value})`
    case 'sum':
      return sql`sum(${value})`
    case 'average':
      return sql`avg(${value})`
    case 'min':
      return sql`min(${value})`
    case 'max':
      return sql`max(${value})`
    default:
      return value
  }
}

function condition(column: SQL, { is, value = null }: { is: string; value?: Value }): SQL {
  switch (is) {
    case 'not':
      return sql`${column} is not ${value}`
    case 'above':
      return sql`${column} > ${value}`
    case 'below':
      return sql`${column} < ${value}`
    case 'at least':
      return sql`${column} >= ${value}`
    case 'at most':
      return sql`${column} <= ${value}`
    case 'containing':
      return sql`instr(lower(${column}), lower(${value})) > 0`
    default:
      return sql`${column} is ${value}`
  }
}

const nameOf = ({ select }: RowsQuery, at: number): string => {
  const { column = 'rows', measure } = select[at] ?? {}
  return measure ? `${measure} of ${column}` : column
}
