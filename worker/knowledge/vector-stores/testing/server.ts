/** Test helper: the table behind a scripted vector store, and the calls that reach it. */
import type { Egress } from '../../../ports/types.ts'

export interface Row {
  vector: number[]
  text: string
  metadata: Record<string, unknown>
}

export interface Call {
  /** `POST /query` */
  what: string
  url: URL
  headers: Headers
  text: string
  // Each server knows the shape of its requests.
  body: ReturnType<typeof JSON.parse>
}

export interface Table {
  rows: Map<string, Row>
  dimension: number
  exists: boolean
}

/** A store as its documentation describes it: what it answers, and how it says no. */
export interface StoreServer {
  name: string
  config: Record<string, unknown>
  credential: Record<string, unknown>
  /** Returns undefined for a call that the store does not know. */
  answer(call: Call, table: Table): Response | undefined
  /** What the filter `{lang: 'en'}` is in the store's language, as it arrives. */
  english: unknown
}

export const KEY = 'key-secret-1'

export function startServer({ answer }: StoreServer, options: Partial<Table> = {}) {
  const table: Table = { rows: new Map(), dimension: 2, exists: true, ...options }
  const calls: Call[] = []
  const egress: Egress = {
    async fetch(input, init) {
      const request = new Request(input, init)
      const url = new URL(request.url)
      const text = await request.text()
      const isJson = text !== '' && request.headers.get('content-type') === 'application/json'
      const call = {
        what: `${request.method} ${url.pathname}`,
        url,
        headers: request.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      }
      calls.push(call)
      return answer(call, table) ?? Response.json({ message: `unknown call ${call.what}` }, { status: 400 })
    },
  }
  return { egress, table, calls }
}

/** Returns the rows with the most similar vectors, and their similarities. */
export function nearest({ rows }: Table, vector: number[], { k, onlyEnglish }: { k: number; onlyEnglish: boolean }) {
  return [...rows]
    .filter(([, row]) => !onlyEnglish || row.metadata.lang === 'en')
    .map(([id, row]) => ({ id, row, similarity: cosine(row.vector, vector) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, k)
}

function cosine(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

export const saysNo = (status: number, body: unknown) => Response.json(body, { status })

/** @throws Error for any other filter than none and the English one */
export function isEnglish(filter: unknown, english: unknown): boolean {
  if (filter === undefined) return false
  if (JSON.stringify(filter) === JSON.stringify(english)) return true
  throw new Error(`The server does not know the filter ${JSON.stringify(filter)}`)
}
