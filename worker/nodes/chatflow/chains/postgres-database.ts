/**
 * A PostgreSQL database that answers over HTTP, as Neon's do. Neon's package carries a whole client for TCP, and its part
 * over HTTP is the one call below.
 */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import {
  assertOneReading,
  DATABASE_LIMITS,
  type Outside,
  type Row,
  type SqlDatabase,
  tablesOfColumns,
} from './sql-database.ts'

const COLUMNS = `select table_name as "name", column_name as "column", data_type as "type" from information_schema.columns
  where table_schema = current_schema() order by table_name, ordinal_position`

/** @param url `postgresql://user:password@host/database` */
export function openPostgres(url: string, { egress, signal }: Outside): SqlDatabase {
  const parsed = URL.parse(url.trim())
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new Error('Give the connection string of the database, postgresql://user:password@host/database')
  const address = `https://${parsed.hostname}/sql`
  const headers = {
    'Content-Type': 'application/json',
    'Neon-Connection-String': parsed.href,
    'Neon-Batch-Read-Only': 'true',
  }

  /** A batch runs as one transaction, which may be one that only reads. */
  async function query(statement: string): Promise<Row[]> {
    const body = JSON.stringify({ queries: [{ query: statement, params: [] }] })
    const response = await egress.fetch(address, { method: 'POST', headers, body, signal }, DATABASE_LIMITS)
    const text = await response.text()
    const answer = tryParseJson(text)
    if (!response.ok)
      throw new Error(errorIn(answer) || `The database answered ${response.status}: ${text.slice(0, 500)}`)
    const [first] = isRecord(answer) && Array.isArray(answer.results) ? answer.results : []
    if (!isRecord(first) || !Array.isArray(first.rows))
      throw new Error('Only PostgreSQL databases that answer over HTTP can be reached, such as those of Neon')
    return first.rows.filter(isRecord)
  }

  return {
    dialect: 'PostgreSQL',
    query,
    tables: async () => tablesOfColumns(await query(COLUMNS)),
    quoted: (name) => `"${name.replaceAll('"', '""')}"`,
    assertReads: (statement) => assertOneReading(statement, withoutTexts(statement)),
  }
}

const errorIn = (answer: unknown): string => (isRecord(answer) ? textOf(answer.message) : '')

/** Texts may hold what looks like another statement. That none is run is held by the transaction, which only reads. */
function withoutTexts(statement: string): string {
  return statement.replace(/'[^']*'?|"[^"]*"?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
}
