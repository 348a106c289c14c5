/** Lists what is at a loader's origin, one part in each unit: new sources are added, changed ones are marked to be read. */
import { and, count, eq, sql } from 'drizzle-orm'
import { MAX_SOURCES } from '#contract/document-stores/limits.ts'
import { documentJobs, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import type { SourceItem } from '../../../../knowledge/types.ts'
import { orderedIds } from '../../ordered-ids.ts'
import { type JobContext, JobProblem, type Statement, writeUnit } from '../job-context.ts'
import { findFiles, openLoader } from '../open-components.ts'
import type { LoaderRow } from '../rows/job-rows.ts'
import { yieldToCalls } from '../work-budget.ts'

/** Sources that one batch adds. Those that were added stay when a worker is lost, and the list is asked for again. */
const SOURCES_PER_BATCH = 200

export async function listSources(task: JobContext, loader: LoaderRow): Promise<void> {
  const { cursor, job, rows } = task
  const begins = cursor.part === undefined
  const reading = rows.update(documentLoaders, eq(documentLoaders.id, loader.id), {
    status: 'SYNCING',
    statusReason: null,
  })
  if (job.request.failedOnly) {
    return writeUnit(task, {
      cursor: { ...cursor, phase: 'read', part: undefined },
      statements: [reading, markFailed(task, loader), countFiles(task)],
    })
  }
  const opened = await openLoader(task, loader)
  const { items, cursor: next } = await opened.type.list(
    opened.context(await findFiles(task, loader), MAX_SOURCES),
    cursor.part,
  )
  await assertRoom(task, loader, items)
  const parts = Array.from({ length: Math.ceil(items.length / SOURCES_PER_BATCH) }, (_, part) =>
    addSources(task, loader, items.slice(part * SOURCES_PER_BATCH, (part + 1) * SOURCES_PER_BATCH)),
  )
  const last = parts.pop()
  for (const part of parts) {
    await writeUnit(task, { prepares: true, statements: [part] })
    await yieldToCalls(task.services.clock)
  }
  await writeUnit(task, {
    cursor: { ...cursor, phase: next === undefined ? 'read' : 'list', part: next },
    statements: [...(begins ? [reading] : []), ...(last ? [last] : []), countFiles(task)],
  })
}

/** Counts those that are new as well: a list of the same sources always has room. */
async function assertRoom({ db, rows }: JobContext, { id }: LoaderRow, items: SourceItem[]): Promise<void> {
  const keys = JSON.stringify(items.map(({ key }) => key))
  const others = and(
    eq(documentSources.docId, id),
    sql`${documentSources.key} not in (select value from json_each(${keys}))`,
  )
  const [known] = await db
    .select({ count: count() })
    .from(documentSources)
    .where(rows.foundInWorkspace(documentSources, others))
  if ((known?.count ?? 0) + items.length <= MAX_SOURCES) return
  throw new JobProblem(
    `A loader may have ${MAX_SOURCES.toLocaleString('en')} files or pages. Set this one to list fewer, or divide it.`,
  )
}

/**
 * Inserts or updates sources as they are at their origin now. What this job has seen before stays as it is, so that doing
 * a unit again changes nothing.
 */
export function addSources({ db, rows, job, services }: JobContext, loader: LoaderRow, items: SourceItem[]): Statement {
  const time = services.clock.now()
  const now = time.toISOString()
  const ids = orderedIds(time, items.length)
  const listed = items.map(({ key, name, version, mime, size, data }, at) => ({
    ...{ id: ids[at], key, name, version, mime, size },
    data: data && JSON.stringify(data),
  }))
  const mustRead = sql`${documentSources.status} <> 'SYNC' or ${job.request.all === true}
    or excluded.version is null or excluded.version is not ${documentSources.version}`
  return db.run(sql`
    insert into ${documentSources} (id, workspace_id, store_id, doc_id, key, name, version, mime, size, data, status,
      seen_by, created_date, updated_date)
    select i.value ->> 'id', ${documentStores.workspaceId}, ${documentStores.id}, ${loader.id}, i.value ->> 'key',
      i.value ->> 'name', i.value ->> 'version', i.value ->> 'mime', coalesce(i.value ->> 'size', 0), i.value ->> 'data',
      'NEW', ${job.id}, ${now}, ${now}
    from json_each(${JSON.stringify(listed)}) i cross join ${documentStores}
    where ${rows.foundInWorkspace(documentStores, eq(documentStores.id, job.storeId))}
    on conflict (store_id, doc_id, key) do update set
      status = case when ${mustRead} then 'NEW' else 'SYNC' end,
      name = excluded.name, version = excluded.version, mime = coalesce(excluded.mime, mime), data = excluded.data,
      size = case when is_stored then size else excluded.size end, seen_by = excluded.seen_by
    where ${documentSources.seenBy} is not excluded.seen_by`)
}

/** Sources that failed are read again; no other is. */
const markFailed = ({ rows, job }: JobContext, { id }: LoaderRow): Statement =>
  rows.update(documentSources, and(eq(documentSources.docId, id), eq(documentSources.status, 'FAILED')), {
    status: 'NEW',
    seenBy: job.id,
  })

/** The sources that this job has seen, and those of them that need no reading. */
export function countFiles({ rows, job }: JobContext): Statement {
  const seen = sql`select count(*) from ${documentSources} seen where seen.store_id = ${job.storeId} and seen.seen_by = ${job.id}`
  return rows.update(documentJobs, eq(documentJobs.id, job.id), {
    filesTotal: sql`(${seen})` as unknown as number,
    filesDone: sql`(${seen} and seen.status in ('SYNC', 'FAILED'))` as unknown as number,
  })
}
