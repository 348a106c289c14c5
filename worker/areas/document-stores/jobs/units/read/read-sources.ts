/** Reads sources that are new or have changed, a few in each unit, and changes their chunks. */
import { and, asc, eq } from 'drizzle-orm'
import { tryParseJson } from '#contract/data/json.ts'
import { storedFileNames } from '#contract/document-stores/file-inputs.ts'
import { errorMessage } from '#contract/errors.ts'
import { documentSources } from '#db/schema/index.ts'
import { createSearchIndex, openSearchIndex } from '#db/search-index/search-index.ts'
import type { SearchIndex } from '#db/search-index/types.ts'
import type { SourceItem } from '../../../../../knowledge/types.ts'
import { ProviderRefusal } from '../../../../../providers/service.ts'
import { type JobContext, parseConfig, writeUnit } from '../../job-context.ts'
import { openLoader } from '../../open-components.ts'
import type { LoaderRow, SourceRow } from '../../rows/job-rows.ts'
import { CHARS_BUDGET } from '../../work-budget.ts'
import { cutDocuments } from './cut-documents.ts'
import type { Reading, ReadSource } from './read-progress.ts'
import { writeSources } from './write-sources.ts'

/** Stored files that a unit reads. Others are fetched, one in each unit. */
const STORED_PER_UNIT = 8
/** Instances that one source may break before it is left out. */
const MAX_LOSSES = 3

/** Reads the next sources of the loader in one unit; without any, the job goes on to settle what is gone. */
export async function readSources(task: JobContext, loader: LoaderRow, openReading: OpenReading): Promise<void> {
  const reading = await openReading(loader)
  if (reading.ahead.length === 0) reading.ahead = await nextSources(task, loader)
  const [first] = reading.ahead
  if (!first)
    return writeUnit(task, { cursor: { ...task.cursor, phase: 'settle', isCareful: undefined, trying: undefined } })
  if (task.cursor.isCareful) return readCarefully(reading, first)
  const results: ReadSource[] = []
  /** A unit that has a budget's work takes no further source. */
  let chars = 0
  for (const source of reading.readsFiles ? reading.ahead : [first]) {
    const result = await readSource(reading, source)
    results.push(result)
    chars += result.pieces.reduce((sum, { text }) => sum + text.length, 0)
    if (chars >= CHARS_BUDGET) break
  }
  await writeSources(reading, results)
  reading.ahead.splice(0, results.length)
}

export type OpenReading = (loader: LoaderRow) => Promise<Reading>

/** Opens what a loader is read with once for all units of a step. */
export function shareReadings(task: JobContext): OpenReading {
  let last: Reading | undefined
  return async (loader) => {
    if (last?.opened.row.id !== loader.id)
      last = {
        ...{ task, opened: await openLoader(task, loader), searchIndex: await openWords(task) },
        ...{ readsFiles: readsFiles(loader), ahead: [] },
      }
    return last
  }
}

const readsFiles = ({ loaderConfig }: LoaderRow): boolean =>
  Object.values(parseConfig(loaderConfig)).some((value) => storedFileNames(value) !== undefined)

const nextSources = async ({ rows, job }: JobContext, { id }: LoaderRow) =>
  (await rows
    .select(
      documentSources,
      and(eq(documentSources.docId, id), eq(documentSources.status, 'NEW'), eq(documentSources.seenBy, job.id)),
    )
    .orderBy(asc(documentSources.id))
    .limit(STORED_PER_UNIT)) as SourceRow[]

/** Words are found at once: a store has a search index from its first chunk. */
async function openWords({ db, tenant, store }: JobContext): Promise<SearchIndex> {
  const searchIndex = await openSearchIndex(db, tenant, store.id)
  return searchIndex ?? createSearchIndex(db, tenant, { storeId: store.id, embedder: null, dimensions: null })
}

/**
 * After an instance was lost, each source is read alone, and named before it is read: one that breaks its worker again
 * and again is left out, and the others go on.
 */
async function readCarefully(reading: Reading, source: SourceRow): Promise<void> {
  const { task } = reading
  if (task.cursor.trying !== source.id) await writeUnit(task, { cursor: { ...task.cursor, trying: source.id } })
  reading.ahead.shift()
  if ((task.cursor.losses ?? 0) < MAX_LOSSES) return writeSources(reading, [await readSource(reading, source)])
  const error = 'Reading it stopped the worker again and again. Divide the file, or leave it out.'
  await writeSources(reading, [{ source, pieces: [], state: 'failed', error }])
}

/** Records a source's error on that source and continues with the others. A refusal holds for them as well, so it stops the job. */
async function readSource({ task, opened }: Reading, source: SourceRow): Promise<ReadSource> {
  const unread = { source, pieces: [], error: null }
  try {
    const content = await opened.type.read(opened.context([source], 1), itemOf(source))
    if (!content) return { ...unread, state: 'gone' }
    const isSame = source.hash === content.hash && task.job.request.all !== true
    if (isSame) return { ...unread, content: { ...content, documents: [] }, state: 'same' }
    return {
      source,
      content,
      pieces: await cutDocuments(content, opened.row, { task, source }),
      state: 'read',
      error: null,
    }
  } catch (error) {
    if (error instanceof ProviderRefusal) throw error
    return { ...unread, state: 'failed', error: errorMessage(error) }
  }
}

function itemOf({ key, name, version, mime, size, data }: SourceRow): SourceItem {
  return {
    ...{ key, name, size },
    ...(version !== null && { version }),
    ...(mime !== null && { mime }),
    ...(data !== null && { data: tryParseJson(data) as Record<string, unknown> }),
  }
}
