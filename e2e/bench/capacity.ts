/**
 * What a run of each kind costs, from which `docs/capacity.md` tells how far one database goes: rows and bytes, transactions
 * that write, requests to the database, and processor time of the worker and the database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { chain, code, directReply, start } from '../support/flows.ts'
import { post } from './calls.ts'
import { predictionCases } from './floor.ts'
import type { Costs } from './processes/host.ts'
import type { Product } from './product.ts'
import { type Row, show } from './table.ts'

/** Until V8 has compiled what a run needs. */
const WARM = 100
const RUNS = 200
/** As a run of one LLM step writes. */
const [ROWS, BODY] = [6, 'x'.repeat(800)]
const TRANSACTIONS = 10_000

export async function measureCapacity(product: Product): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, run] of await kinds(product)) rows.push(rowOf(name, await costOf(product, run)))
  return [...rows, measureWriter()]
}

/** What one writer does at most: transactions as a run of one LLM step ends with, without a network and a protocol. */
function measureWriter(): Row {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
  const database = new Database(join(folder, 'writer.db'))
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL')
  database.exec(`CREATE TABLE records (id TEXT PRIMARY KEY, workspace TEXT, created INTEGER, body TEXT);
    CREATE INDEX records_workspace ON records (workspace, created)`)
  const insert = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?)')
  const begin = performance.now()
  for (let transaction = 0; transaction < TRANSACTIONS; transaction++) {
    database.exec('BEGIN IMMEDIATE')
    for (let row = 0; row < ROWS; row++) insert.run(crypto.randomUUID(), 'workspace', transaction, BODY)
    database.exec('COMMIT')
  }
  const seconds = (performance.now() - begin) / 1000
  database.close()
  rmSync(folder, { recursive: true })
  const value = `${show(TRANSACTIONS / seconds)} transactions a second`
  return { measure: `one writer: ${ROWS} rows, each with ${BODY.length} bytes and an index`, value, against: '' }
}

type Kind = [name: string, run: () => Promise<unknown>]

async function kinds(product: Product): Promise<Kind[]> {
  const predict = (id: string) => () =>
    post(`${product.url}/api/v1/prediction/${id}`, { question: 'Hello there, friend?' })
  const found: Kind[] = []
  for (const { name, flow, type } of await predictionCases(product))
    found.push([name, predict(await product.save(flow, type))])
  const functions = Array.from({ length: 10 }, (_, at) => code('return $input', at))
  found.push(['ten custom functions', predict(await product.save(chain(start(), ...functions)))])
  const flowId = await product.save(chain(start(), directReply('Done.')))
  const settings = { kind: 'webhook', input: { mode: 'text', text: 'Go' } }
  const { id } = await product.post<{ id: string }>('/triggers', { flowId, name: 'Bench', settings })
  found.push(['a webhook that answers', () => post(`${product.url}/api/v1/webhook/${id}`, {})])
  return found
}

/** The cost of one run, each in a session of its own. */
async function costOf(product: Product, run: () => Promise<unknown>): Promise<Costs> {
  for (let warm = 0; warm < WARM; warm++) await run()
  const before = await product.costs()
  for (let count = 0; count < RUNS; count++) await run()
  const after = await product.costs()
  const each = (key: keyof Costs) => (after[key] - before[key]) / RUNS
  return {
    roundTrips: each('roundTrips'),
    writes: each('writes'),
    rows: each('rows'),
    bytes: each('bytes'),
    cpuSeconds: each('cpuSeconds'),
  }
}

const rowOf = (name: string, { roundTrips, writes, rows, bytes, cpuSeconds }: Costs): Row => ({
  measure: `a run: ${name}`,
  value: `${show(cpuSeconds * 1000)} ms of processor time`,
  against: `${show(rows)} rows, ${show(bytes / 1024)} KiB, ${show(writes)} writes, ${show(roundTrips)} round trips`,
})
