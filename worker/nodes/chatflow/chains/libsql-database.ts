/** A libSQL database over HTTP, read by statements that a model wrote. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { textOf } from '../../shared/inputs.ts'
import type { StepContext } from '../../types.ts'

const LIMITS = { timeoutMs: 30_000, maxBytes: 2_000_000 }

export type Row = Record<string, unknown>

export interface LibsqlDatabase {
  /** Throws an Error with the database's message. */
  query(statement: string): Promise<Row[]>
}

/** @param url `libsql://…` or `https://…`, with the token as `?authToken=` */
export function openLibsql(url: string, { egress, signal }: Pick<StepContext, 'egress' | 'signal'>): LibsqlDatabase {
  const parsed = URL.parse(url.trim().replace(/^libsql:/i, 'https:'))
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new Error(
      'Only databases over HTTP can be reached: give the URL of a libSQL database, libsql://…?authToken=…',
    )
  const token = parsed.searchParams.get('authToken')
  const address = new URL('/v2/pipeline', parsed.origin).href
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
  return {
    async query(sql) {
      const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql } }, { type: 'close' }] })
      const response = await egress.fetch(address, { method: 'POST', headers, body, signal }, LIMITS)
      const text = await response.text()
      if (!response.ok) throw new Error(`The database answered ${response.status}: ${text.slice(0, 500)}`)
      const answer = tryParseJson(text)
      const [first] = isRecord(answer) && Array.isArray(answer.results) ? answer.results : []
      if (!isRecord(first) || first.type !== 'ok') throw new Error(errorIn(first))
      return rowsIn(first)
    },
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

/** Reads one statement that only reads. Throws an Error that says why it is refused. */
export function readingStatement(text: string): string {
  const statement = text.trim().replace(/;$/, '').trim()
  if (!/^(select|with)\b/i.test(statement)) throw new Error('Only SELECT statements are run')
  const bare = withoutTexts(statement)
  if (bare.includes(';')) throw new Error('Only one statement is run')
  if (/\b(insert|update|delete|replace|drop|alter|create|attach|detach|pragma|vacuum|reindex)\b/i.test(bare))
    throw new Error('Only statements that read are run')
  return statement
}

/** Leaves out texts, quoted names and comments, also unclosed ones. */
function withoutTexts(statement: string): string {
  return statement.replace(/'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
}
