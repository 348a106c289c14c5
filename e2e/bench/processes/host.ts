/** The process of the product. Callers and model servers are in others. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { executionSteps, runTexts } from '#db/schema/index.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { startHeddle } from '#worker/local/server.ts'
import { fillDatabase, type Scale } from '../scale-rows.ts'
import { cpuSeconds, processesBelow } from './tree.ts'

/** The requests and rows of the database so far. */
export interface Amounts {
  /** Requests that it has answered, this one not. */
  roundTrips: number
  /** Steps of all runs. */
  stepRows: number
  stepBytes: number
}

/** The product's work since its start. */
export interface Costs {
  /** Requests that the database has answered, those of this question not. */
  roundTrips: number
  /** Transactions that wrote. */
  writes: number
  rows: number
  /** Bytes of everything in the database. */
  bytes: number
  /** Processor time of the worker and of the database. */
  cpuSeconds: number
}

const [modelHosts] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
const dataDir = join(folder, 'data')
const settings = { allowPrivateHosts: modelHosts, publicCallsPerMinute: '1000000' }
const heddle = await startHeddle({ dataDir, port: 0, cron: false, ...settings })
const database = openUnscopedDatabase(heddle.databaseUrl, heddle.databaseToken)
let messageCount = 0
process.send?.(heddle.url)

process.on('message', async (message: string | Scale) => {
  if (message === 'roundTrips') process.send?.(heddle.roundTrips())
  if (message === 'prepared') process.send?.(heddle.prepared())
  if (message === 'amounts') process.send?.(await amounts())
  if (message === 'costs') process.send?.(await costs())
  if (message === 'fileBytes') process.send?.(await fileBytes())
  if (message === 'cron') process.send?.((await heddle.scheduled()) ?? null)
  if (typeof message === 'object') process.send?.(fillDatabase(join(dataDir, 'heddle.db'), message) ?? null)
})
process.once('disconnect', async () => {
  await heddle.close()
  rmSync(folder, { recursive: true })
})

async function amounts(): Promise<Amounts> {
  const roundTrips = heddle.roundTrips() - messageCount++
  const [steps] = await database
    .select({
      stepRows: sql<number>`count(*)`,
      stepBytes: sql<number>`coalesce(sum(length(${executionSteps.item})), 0) + (select coalesce(sum(length(${runTexts.text})), 0) from ${runTexts})`,
    })
    .from(executionSteps)
  return { roundTrips, stepRows: 0, stepBytes: 0, ...steps }
}

async function costs(): Promise<Costs> {
  const { cpu, roundTrips, writes } = {
    cpu: [process.pid, ...processesBelow(process.pid)].reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    roundTrips: heddle.roundTrips() - messageCount,
    writes: heddle.writes(),
  }
  const tables = await database.all<{ name: string }>(
    sql`select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'`,
  )
  const counts = tables.map(({ name }) => sql`select count(*) as rows from ${sql.identifier(name)}`)
  const [counted] = await database.all<{ rows: number }>(
    sql`select sum(rows) as rows from (${sql.join(counts, sql` union all `)})`,
  )
  const bytes = await fileBytes()
  messageCount += 3
  return { roundTrips, writes, rows: counted?.rows ?? 0, bytes, cpuSeconds: cpu }
}

/** Bytes of everything in the database, free pages not included. */
async function fileBytes(): Promise<number> {
  const [file] = await database.all<{ bytes: number }>(
    sql`select (page_count - freelist_count) * page_size as bytes from pragma_page_count, pragma_freelist_count, pragma_page_size`,
  )
  return file?.bytes ?? 0
}
