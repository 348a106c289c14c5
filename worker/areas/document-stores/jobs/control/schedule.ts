/** Refreshes stores whose time has come. */
import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { tryParseJson } from '#contract/data/json.ts'
import type { ScheduleConfig } from '#contract/document-stores/stores.ts'
import { nextRun } from '#contract/triggers/schedule.ts'
import { documentJobs, documentStores } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse } from '#db/scope.ts'
import type { Services } from '../../../../services.ts'

/** Stores in one run of the minute job; further ones have their turn in the next minute. */
const MAX_DUE = 200

/**
 * Adds a refresh for each store that is due, unless a job of it is open, and moves its time, both only where that is
 * unchanged: parallel minute jobs add one.
 */
export async function refreshDueStores({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job refreshes due stores of every workspace')
  const { id, nextRefresh, scheduleConfig } = documentStores
  const due = await all
    .select({ id, due: nextRefresh, config: scheduleConfig })
    .from(documentStores)
    .where(
      and(sql`${nextRefresh} is not null`, lte(nextRefresh, now.toISOString()), isInUse(documentStores.workspaceId)),
    )
    .orderBy(asc(nextRefresh))
    .limit(MAX_DUE)
  for (const store of due) {
    const isUnchanged = and(eq(id, store.id), eq(nextRefresh, store.due as string))
    await all.batch([
      all.run(sql`insert into ${documentJobs} (id, workspace_id, store_id, kind, state, request, created_date)
        select ${crypto.randomUUID()}, ${documentStores.workspaceId}, ${id}, 'refresh', 'queued', '{}', ${now.toISOString()}
        from ${documentStores} where ${isUnchanged} and not exists (
          select 1 from ${documentJobs} open where open.store_id = ${id} and open.ended_date is null)`),
      all
        .update(documentStores)
        .set({ nextRefresh: timeAfter(store.config, now) })
        .where(isUnchanged),
    ])
  }
}

/** Null for a schedule that has no runs left or cannot be read. */
function timeAfter(config: string | null, now: Date): string | null {
  try {
    return nextRun(tryParseJson(config ?? '') as ScheduleConfig, now)?.toISOString() ?? null
  } catch {
    return null
  }
}
