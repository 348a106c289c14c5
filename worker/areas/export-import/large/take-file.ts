/** Plans the items of a file that was scanned, and takes the rows that follow them page by page. */
import type { BundleRow } from '#contract/export-import/export-import.ts'
import { componentDefinitions } from '../../../nodes/catalogue.ts'
import type { Services } from '../../../services.ts'
import type { ChunkTaker } from '../document-stores/take-chunks.ts'
import { readRunContext } from '../import.ts'
import { messageRow, runRows } from '../import-statements.ts'
import { type ImportContext, planItems } from '../plan.ts'
import { type BulkTaker, bulkTaker, type TakenBulk } from '../plan-bulk.ts'
import type { ItemPlan } from '../planned.ts'
import { type Cursor, readFindings, type TakingState } from './cursor.ts'
import type { ItemPiece } from './cut-items.ts'
import type { ImportRow } from './import-rows.ts'
import { type FollowingKey, itemsOfFile, type ScannedPiece, type Stretch } from './read-file.ts'
import { seededIds } from './seeded-ids.ts'
import type { Page } from './staged-rows.ts'

/** Everything a plan is made from besides the file: with the same, another instance makes the same plan. */
interface PlanContext {
  runContext: ImportContext
  seed: string
}

/** The ids of the rows of a page. */
interface PageIds extends TakenBulk {
  chunks: readonly string[]
}

export interface OpenFile {
  /** The cursor up to which rows were taken. */
  pieces: number
  context: PlanContext
  stretches: readonly Stretch[]
  take(key: FollowingKey, rows: BundleRow[]): { page: Page; ids: PageIds }
  /** Returns the ids of all rows that were taken. */
  ids(): string[]
  state(): Pick<TakingState, 'idsGiven' | 'leftOut' | 'notes'>
  finish(): ItemPlan
  /** The items of the plan in pieces, once their source files are stored. */
  items?: readonly ItemPiece[]
}

type Reading = Pick<Services, 'db'>

/** Reads what the workspace has, and plans. Throws `bad_request` that names an invalid flow or choice. */
export async function planFile({ db }: Reading, held: ImportRow, cursor: Cursor): Promise<OpenFile> {
  const items = await readItems(db, held, cursor)
  const none = { Execution: [], ChatMessage: [], ChatMessageFeedback: [], DocumentStoreFileChunk: [] }
  const runContext = await readRunContext(db, held, { ...items.bundle, ...none })
  return openFile(items, { context: { runContext, seed: crypto.randomUUID() }, before: [], pieces: cursor.pieces + 1 })
}

/** Makes the plan again that another instance has made, and goes on behind the rows that were taken. */
export async function resumeFile({ db }: Reading, held: ImportRow, cursor: Cursor): Promise<OpenFile> {
  const items = await readItems(db, held, cursor)
  const [context] = await readFindings<PlanContext>(db, held, 'context')
  if (!context) throw new Error('An import that takes rows has no plan')
  const before = await readFindings<PageIds>(db, held, 'ids')
  return openFile(items, { context, before, pieces: cursor.pieces, state: cursor.taking })
}

async function readItems(db: Services['db'], held: ImportRow, { scanned }: Cursor) {
  const pieces = await readFindings<ScannedPiece>(db, held, 'scanned')
  return itemsOfFile(pieces, { counts: scanned.counts, choices: JSON.parse(held.choices) })
}

interface Opening {
  context: PlanContext
  before: readonly PageIds[]
  pieces: number
  state?: TakingState
}

function openFile(
  { bundle, own, taken, owners, chunks, stretches }: ReturnType<typeof itemsOfFile>,
  { context, before, pieces, state }: Opening,
): OpenFile {
  const { runContext, seed } = context
  const newIds = seededIds(seed)
  const planned = planItems(bundle, {
    runContext: {
      ...{ ...runContext, own, taken: new Set([...runContext.taken, ...taken]) },
      stores: { ...runContext.stores, owners: new Map([...runContext.stores.owners, ...owners]) },
    },
    ...{ components: componentDefinitions(), chunks, newId: newIds.next },
  })
  const { take, openChunks, finish } = planned
  if (state && before.length > 0) {
    newIds.given = state.idsGiven
    take.list.restore(state.leftOut)
    take.notes.restore(state.notes)
  }
  const ids = { executions: [], messages: [], feedback: [], chunks: [] } as {
    -readonly [List in keyof PageIds]: PageIds[List][number][]
  }
  const add = (page: PageIds) => {
    ids.executions.push(...page.executions)
    ids.messages.push(...page.messages)
    ids.feedback.push(...page.feedback)
    ids.chunks.push(...page.chunks)
  }
  for (const page of before) add(page)
  let plan: ItemPlan | undefined
  const takers = { ...bulkTaker(take, { own }, ids), chunks: openChunks(ids.chunks) }
  return {
    ...{ pieces, context, stretches },
    take(key, rows) {
      const found = takePage(takers, key, rows)
      add(found.ids)
      return found
    },
    ids: () => [...ids.executions, ...ids.messages, ...idsOf(ids.feedback), ...ids.chunks],
    state: () => ({ idsGiven: newIds.given, leftOut: take.list.entries(), notes: take.notes.counted() }),
    finish() {
      const { executions, messages, feedback } = ids
      const counts = {
        Execution: executions.length,
        ChatMessage: messages.length,
        ChatMessageFeedback: feedback.length,
      }
      plan ??= finish(counts)
      return plan
    },
  }
}

interface Takers extends BulkTaker {
  chunks: ChunkTaker
}

const NO_IDS: PageIds = { executions: [], messages: [], feedback: [], chunks: [] }
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

function takePage(taker: Takers, key: FollowingKey, rows: BundleRow[]): { page: Page; ids: PageIds } {
  if (key === 'DocumentStoreFileChunk') {
    const chunks = taker.chunks(rows)
    return { page: { chunks }, ids: { ...NO_IDS, chunks: idsOf(chunks) } }
  }
  if (key === 'Execution') {
    const runs = taker.executions(rows)
    const steps = runs.flatMap(({ id: executionId, steps: list }) => list.map((step) => ({ ...step, executionId })))
    const stored = runs.map(runRows)
    const texts = stored.flatMap((each) => each.texts)
    return {
      page: { executions: stored.map(({ run }) => run), texts, steps },
      ids: { ...NO_IDS, executions: idsOf(runs) },
    }
  }
  if (key === 'ChatMessage') {
    const messages = taker.messages(rows)
    return { page: { messages: messages.map(messageRow) }, ids: { ...NO_IDS, messages: idsOf(messages) } }
  }
  const feedback = taker.feedback(rows)
  return {
    page: { feedback },
    ids: { ...NO_IDS, feedback: feedback.map(({ id, messageId }) => ({ id, messageId })) },
  }
}
