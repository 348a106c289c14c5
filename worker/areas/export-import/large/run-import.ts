/**
 * The Workflow of a large file. A check reads the whole file and writes nothing but its report; a run reads it again, puts
 * its rows aside and moves them all to their tables in one batch, with the items that they follow and jobs that make chunks
 * found. It may die anywhere: another instance begins anew.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { errorMessage, HeddleError, isUnavailable } from '#contract/errors.ts'
import type { BundleRow } from '#contract/export-import/export-import.ts'
import { isDatabaseFailure } from '#db/database-failure.ts'
import {
  chatMessageFeedback,
  chatMessages,
  documentChunks,
  documentStores,
  executionSteps,
  executions,
  importRows,
} from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { type AuditedCall, withAuditOf, workspaceTarget } from '../../../http/audit.ts'
import type { Member } from '../../../http/route.ts'
import { defineJob, type Job, STEP, type Steps } from '../../../jobs/instances.ts'
import { componentDefinitions } from '../../../nodes/catalogue.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { Services } from '../../../services.ts'
import type { FlowSave } from '../../chatflows/index.ts'
import { newIndexJobs, startIndexing } from '../../document-stores/index.ts'
import { deleteBytesAt } from '../../files/index.ts'
import type { ChunkTaker } from '../document-stores/take-chunks.ts'
import { unindexedStores } from '../document-stores/write-stores.ts'
import { readRunContext, readTakenIds } from '../import.ts'
import { itemStatements, messageRow, runRow } from '../import-statements.ts'
import { type BulkCounts, type ItemPlanning, planItems } from '../plan.ts'
import { type BulkTaker, bulkTaker } from '../plan-bulk.ts'
import { storePlannedSources } from '../source-files.ts'
import {
  claimImport,
  type ImportJobParams,
  type ImportRow,
  LostImport,
  MAX_ATTEMPTS,
  partKeys,
  writeHeld,
} from './import-rows.ts'
import { FOLLOWING_KEYS, type FollowingKey, readItems, readPages } from './read-file.ts'

/** @param saves one of each area that keeps rows of saved flows */
export const largeImportJob = (saves: readonly FlowSave[]): Job =>
  defineJob<ImportJobParams>({
    kind: 'import',
    run: (services, params, steps) => runImportJob({ ...services, saves }, params, steps),
  })

type Store = Services & { saves: readonly FlowSave[] }

async function runImportJob(services: Store, params: ImportJobParams, steps: Steps): Promise<void> {
  await steps.do('import', STEP, async () => {
    const held = await claimImport(services, params)
    if (held) await work(services, held)
  })
}

async function work(services: Store, held: ImportRow): Promise<void> {
  try {
    if (held.attempt > MAX_ATTEMPTS)
      throw new HeddleError('too_large', 'The worker stopped again and again at this file')
    if (held.state === 'checking') await check(services, held)
    else if (held.state === 'indexing') await finish(services, held)
    else await write(services, held)
  } catch (error) {
    if (error instanceof LostImport) return
    // The minute job gives it to another instance then.
    if ((isDatabaseFailure(error) || isUnavailable(error)) && held.attempt < MAX_ATTEMPTS) throw error
    await end(services, held, { state: 'failed', reason: reasonOf(error) }).catch((failure) => {
      if (!(failure instanceof LostImport)) throw failure
    })
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof HeddleError ? errorMessage(error) : 'Something went wrong. Import the file again'

async function check(services: Store, held: ImportRow): Promise<void> {
  const { finish, taken } = await readAll(services, held, async () => {})
  const { report } = finish(taken)
  await writeHeld(services, held, { change: { state: 'checked', report: JSON.stringify(report) } })
}

async function write(services: Store, held: ImportRow): Promise<void> {
  const { db, saves, clock } = services
  const { call, ...member } = JSON.parse(held.actor) as Member & { call: AuditedCall }
  await db.delete(importRows).where(eq(importRows.importId, held.id))
  const columns: Columns = new Map()
  const { finish, taken } = await readAll(services, held, (page, rowsDone) =>
    putAside(services, held, { page, columns, rowsDone }),
  )
  const plan = finish(taken)
  const now = clock.now().toISOString()
  const sources = await storePlannedSources(services, held, plan.flows)
  const written = [
    ...itemStatements({ db, member, saves, sources, now }, plan),
    ...LISTS.flatMap((list) => moveStatement(services, held, { list, columns: columns.get(list) })),
  ]
  const { audit } = withAuditOf(services, { ...call, actor: member })
  const change = plan.report.imported
  const event = audit({ event: 'workspace.import', target: workspaceTarget(member), change }) as Statement
  const statements = written.length > 0 ? [event, ...written] : []
  const report = JSON.stringify(plan.report)
  await end(services, held, { state: 'done', report }, statements)
  await startIndexing(services, held, unindexedStores(plan.stores))
}

/** Ends an import of an earlier version, with jobs for the stores that it had put aside to be indexed. */
async function finish(services: Store, held: ImportRow): Promise<void> {
  const { db, clock } = services
  const isOfImport = and(eq(importRows.importId, held.id), eq(importRows.list, 'stores'))
  const unindexed = db
    .select({ id: sql`${importRows.row} ->> 'id'` })
    .from(importRows)
    .where(isOfImport)
  const stores = await scope(db, held).select(documentStores, sql`${documentStores.id} in (${unindexed})`)
  const storeIds = stores.map(({ id }) => id as string)
  const now = clock.now().toISOString()
  await end(services, held, { state: 'done' }, newIndexJobs(db, held, { storeIds, now }))
  await startIndexing(services, held, storeIds)
}

type Ended = Pick<ImportRow, 'state'> & Partial<Pick<ImportRow, 'reason' | 'report'>>

/** Deletes the parts immediately and leaves the staged rows to the minute job. */
function end(services: Store, held: ImportRow, ended: Ended, statements: Statement[] = []): Promise<void> {
  const { db, clock } = services
  return writeHeld(services, held, {
    change: { ...ended, endedDate: clock.now().toISOString() },
    statements: [...statements, deleteBytesAt(db, partKeys(held), '')],
  })
}

const LISTS = ['executions', 'steps', 'messages', 'feedback', 'chunks'] as const
type List = (typeof LISTS)[number]
type Page = Partial<Record<List, object[]>>

interface AllRead extends Pick<ItemPlanning, 'finish'> {
  taken: BulkCounts
}

/** Reads the file to its end. `take` receives the rows to write, page by page, and how many rows were read so far. */
async function readAll(
  services: Store,
  held: ImportRow,
  take: (page: Page, rowsDone: number) => Promise<void>,
): Promise<AllRead> {
  const { db, fileStorage } = services
  const file = { fileStorage, row: held }
  const items = await readItems(file, {
    choices: JSON.parse(held.choices),
    takenIds: async (ids, rowsDone) => {
      if (held.state === 'checking') await writeHeld(services, held, { change: { rowsDone } })
      else await writeHeld(services, held, {})
      return readTakenIds(db, held, ids)
    },
  })
  const { bundle, own, taken, owners, chunks, counts } = items
  const context = await readRunContext(db, held, { ...bundle, ...NONE_FOLLOWING })
  const runContext = {
    ...{ ...context, own, taken: new Set([...context.taken, ...taken]) },
    stores: { ...context.stores, owners: new Map([...context.stores.owners, ...owners]) },
  }
  const components = componentDefinitions()
  const planning = { runContext, components, chunks, newId: () => crypto.randomUUID() }
  const { take: taking, takeChunks, finish } = planItems(bundle, planning)
  const takers = { ...bulkTaker(taking, { own }), chunks: takeChunks }
  const done = { ChatMessage: 0, ChatMessageFeedback: 0, Execution: 0, DocumentStoreFileChunk: 0 }
  const following = FOLLOWING_KEYS.filter((key) => counts.has(key))
  const rowsTotal = following.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0)
  await writeHeld(services, held, { change: { rowsDone: 0, rowsTotal } })
  let rowsDone = 0
  for (const key of following) {
    for await (const page of readPages(file, key)) {
      const { taken: count, ...written } = takePage(takers, key, page)
      done[key] += count
      rowsDone += page.length
      await take(written, rowsDone)
    }
  }
  return { finish, taken: done }
}

const NONE_FOLLOWING = { Execution: [], ChatMessage: [], ChatMessageFeedback: [], DocumentStoreFileChunk: [] }

interface Takers extends BulkTaker {
  chunks: ChunkTaker
}

function takePage(taker: Takers, key: FollowingKey, rows: BundleRow[]): Page & { taken: number } {
  if (key === 'DocumentStoreFileChunk') {
    const chunks = taker.chunks(rows)
    return { taken: chunks.length, chunks }
  }
  if (key === 'Execution') {
    const runs = taker.executions(rows)
    const steps = runs.flatMap(({ id: executionId, steps: list }) => list.map((step) => ({ ...step, executionId })))
    return { taken: runs.length, executions: runs.map(runRow), steps }
  }
  if (key === 'ChatMessage') {
    const messages = taker.messages(rows)
    return { taken: messages.length, messages: messages.map(messageRow) }
  }
  const feedback = taker.feedback(rows)
  return { taken: feedback.length, feedback }
}

/** The columns of the rows that were put aside, and how many there are. */
type Columns = Map<List, { names: Set<string>; rows: number }>

async function putAside(
  services: Store,
  held: ImportRow,
  { page, columns, rowsDone }: { page: Page; columns: Columns; rowsDone: number },
): Promise<void> {
  const statements = LISTS.flatMap((list) => {
    const rows = page[list] ?? []
    if (rows.length === 0) return []
    const seen = columns.get(list) ?? { names: new Set(), rows: 0 }
    for (const row of rows) for (const name of Object.keys(row)) seen.names.add(name)
    const first = seen.rows
    columns.set(list, { ...seen, rows: first + rows.length })
    return [putRows(services, held, { list, rows, first })]
  })
  await writeHeld(services, held, { change: { rowsDone }, statements })
}

/** @param first the number of the first row */
function putRows(
  { db }: Store,
  { id }: ImportRow,
  { list, rows, first }: { list: List; rows: readonly object[]; first: number },
): Statement {
  const values = sql`select ${id}, ${list}, ${first} + key, value from json_each(${JSON.stringify(rows)})`
  return db.run(sql`insert into ${importRows} (import_id, list, seq, row) ${values}`)
}

interface Moved {
  list: List
  columns: { names: Set<string> } | undefined
}

function moveStatement({ db }: Store, held: ImportRow, { list, columns }: Moved): Statement[] {
  if (!columns) return []
  const value = (name: string): SQL => sql`json_extract(${importRows.row}, ${`$.${name}`})`
  const values = Object.fromEntries([...columns.names].map((name) => [name, value(name)]))
  const isOfList = sql`${importRows.importId} = ${held.id} and ${importRows.list} = ${list}`
  const from = sql`from ${importRows} where ${isOfList} order by ${importRows.seq}`
  const rows = scope(db, held)
  if (list === 'executions') return [rows.insertFound(executions, { values, from })]
  if (list === 'messages') return [rows.insertFound(chatMessages, { values, from })]
  if (list === 'chunks') return [rows.insertFound(documentChunks, { values, from })]
  if (list === 'feedback') return [rows.insertFound(chatMessageFeedback, { values, from })]
  return [
    db.run(sql`insert into ${executionSteps} (execution_id, seq, path, node_id, item, started_at, finished_at)
      select ${value('executionId')}, ${value('seq')}, ${value('path')}, ${value('nodeId')}, ${value('item')},
        ${value('startedAt')}, ${value('finishedAt')} ${from}`),
  ]
}
