/**
 * The Workflow of a large file. A check reads the whole file and writes nothing but its report; a run reads it again, puts
 * its rows aside and moves them all to their tables in one batch, with the items that they follow and jobs that make chunks
 * found. It may die anywhere: another instance begins anew.
 */
import { and, eq, sql } from 'drizzle-orm'
import { errorMessage, HeddleError, isUnavailable } from '#contract/errors.ts'
import type { BundleRow } from '#contract/export-import/export-import.ts'
import { isDatabaseFailure } from '#db/database-failure.ts'
import { documentStores, importRows } from '#db/schema/index.ts'
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
import { itemStatements, messageRow, runRows } from '../import-statements.ts'
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
import { moveStatements, type Page, type Staged, stageStatements } from './staged-rows.ts'

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
  const staged: Staged = new Map()
  const { finish, taken } = await readAll(services, held, (page, rowsDone) =>
    writeHeld(services, held, { change: { rowsDone }, statements: stageStatements(db, held, { page, staged }) }),
  )
  const plan = finish(taken)
  const now = clock.now().toISOString()
  const sources = await storePlannedSources(services, held, plan.flows)
  const written = [...itemStatements({ db, member, saves, sources, now }, plan), ...moveStatements(db, held, staged)]
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
    const stored = runs.map(runRows)
    const texts = stored.flatMap((each) => each.texts)
    return { taken: runs.length, executions: stored.map(({ run }) => run), texts, steps }
  }
  if (key === 'ChatMessage') {
    const messages = taker.messages(rows)
    return { taken: messages.length, messages: messages.map(messageRow) }
  }
  const feedback = taker.feedback(rows)
  return { taken: feedback.length, feedback }
}
