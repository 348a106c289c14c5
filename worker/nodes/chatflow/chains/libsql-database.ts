/** A libSQL database over HTTP. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import { assertOneReading, DATABASE_LIMITS, type Outside, type Row, type SqlDatabase } from './sql-database.ts'

const TABLES =
  "select name, sql from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%' order by name"

/** @param url `libsql://…` or `https://…`, with the token as `?authToken=` */
export function openLibsql(url: string, { egress, signal }: Outside): SqlDatabase {
  const parsed = URL.parse(url.trim().replace(/^libsql:/i, 'https:'))
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new Error(
      'Only databases over HTTP can be reached: give the URL of a libSQL database, libsql://…?authToken=…',
    )
  const token = parsed.searchParams.get('authToken')
  const address = new URL('/v2/pipeline', parsed.origin).href
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }

  async function query(sql: string): Promise<Row[]> {
    const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql } }, { type: 'close' }] })
    const response = await egress.fetch(address, { method: 'POST', headers, body, signal }, DATABASE_LIMITS)
    const text = await response.text()
    if (!response.ok) throw new Error(`The database answered ${response.status}: ${text.slice(0, 500)}`)
    const answer = tryParseJson(text)
    const [first] = isRecord(answer) && Array.isArray(answer.results) ? answer.results : []
    if (!isRecord(first) || first.type !== 'ok') throw new Error(errorIn(first))
    return rowsIn(first)
  }

  return {
    dialect: 'SQLite',
    query,
    tables: async () => (await query(TABLES)).map(({ name, sql }) => ({ name: textOf(name), definition: textOf(sql) })),
    quoted: (name) => `"${name.replaceAll('"', '""')}"`,
    assertReads: (statement) => assertOneReading(statement, withoutTexts(statement)),
  }
}

function errorIn(result: unknown): string {
  const error = isRecord(result) && isRecord(result.error) ? textOf(result.error.message) : ''
  return error || 'The database sent no result'
}

function rowsIn({ response }: Record<string, unknown>): Row[] {
  const { cols = [], rows = [] } = ((response as { result?: object } | undefined)?.result ?? {}) as {
    cols?: { name?: string }[]
    rows?: { type: string; value?: unknown }[][]
  }
  return rows.map((row) =>
    Object.fromEntries(row.map(({ value = null }, index) => [cols[index]?.name ?? index, value])),
  )
}

/** Leaves out texts, quoted names and comments, also unclosed ones. */
function withoutTexts(statement: string): string {
  return statement.replace(/'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
}
