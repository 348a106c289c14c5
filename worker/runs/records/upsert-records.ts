/** Rows of what a flow's upserts have written. */
import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { upsertRecords } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { UpsertRecords } from '../../ports/types.ts'
import type { Services } from '../../services.ts'

/** Variables of one statement: five for each row. */
const ROWS_AT_ONCE = 200

export function openUpsertRecords({ db }: Pick<Services, 'db'>, tenant: Tenant, flowId: string): UpsertRecords {
  const rows = scope(db, tenant)
  const within = (namespace: string, more: SQL) =>
    and(eq(upsertRecords.chatflowid, flowId), eq(upsertRecords.namespace, namespace), more)
  const selectIds = (condition: SQL | undefined) =>
    db.select({ id: upsertRecords.id }).from(upsertRecords).where(rows.foundInWorkspace(upsertRecords, condition))
  return {
    async known(namespace, ids) {
      if (ids.length === 0) return new Set()
      return new Set((await selectIds(within(namespace, isAmong(ids)))).map(({ id }) => id))
    },
    async note(namespace, documents, now) {
      const upsertedDate = now.toISOString()
      for (let at = 0; at < documents.length; at += ROWS_AT_ONCE) {
        const noted = documents.slice(at, at + ROWS_AT_ONCE).map(({ id, source }) => ({ id, source }))
        const added = noted.map((document) => ({ ...document, chatflowid: flowId, namespace, upsertedDate }))
        await rows
          .insertAll(upsertRecords, added)
          .onConflictDoUpdate({ target: upsertRecords.id, set: { upsertedDate, source: sql`excluded.source` } })
      }
    },
    async left(namespace, since, sources) {
      const isOlder = lt(upsertRecords.upsertedDate, since.toISOString())
      const ofSources =
        sources && sql`${upsertRecords.source} in (select value from json_each(${JSON.stringify(sources)}))`
      return (await selectIds(within(namespace, and(isOlder, ofSources) as SQL))).map(({ id }) => id)
    },
    async forget(namespace, ids) {
      if (ids.length > 0) await rows.delete(upsertRecords, within(namespace, isAmong(ids)))
    },
  }
}

const isAmong = (ids: readonly string[]) =>
  sql`${upsertRecords.id} in (select value from json_each(${JSON.stringify(ids)}))`
