/** Keeps what the members, keys and callers of a workspace were refused, to be found by request id. */
import { and, getTableColumns, gte, ne, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { redactText } from '#contract/data/redact-text.ts'
import { errorReport, HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { requestFailures } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { AppEnv } from './route.ts'

/** Failures of a workspace that one minute keeps; the others are counted in one row. */
export const MAX_FAILURES_PER_MINUTE = 30
/** The status of the row that counts. */
export const COUNTED = 0

const MAX_MESSAGE = 500

/** Writes after the answer. Failures that belong to no workspace are not kept. */
export const recordFailures = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const workspaceId = workspaceOf(c)
  if (c.res.status < 400 || workspaceId === undefined) return
  const written = messageOf(c).then((message) => writeFailure(c, { workspaceId, message }))
  c.executionCtx.waitUntil(written.catch((error: unknown) => console.error('record of a failure:', errorReport(error))))
})

function workspaceOf(c: Context<AppEnv>): string | undefined {
  const actor = c.get('actor')
  return actor && 'workspaceId' in actor ? actor.workspaceId : c.get('calledWorkspaceId')
}

async function messageOf({ error, res }: Context<AppEnv>): Promise<string> {
  if (error) return error instanceof HeddleError ? error.message : 'Internal Server Error'
  return /^text\/plain/.test(res.headers.get('content-type') ?? '') ? res.clone().text() : ''
}

interface Failure {
  workspaceId: string
  message: string
}

async function writeFailure(c: Context<AppEnv>, { workspaceId, message }: Failure): Promise<void> {
  const { db, clock } = c.get('services')
  const now = clock.now().toISOString()
  const minute = `${now.slice(0, 16)}:00.000Z`
  const actor = c.get('actor')
  const { method, path } = c.get('route')
  const kept = {
    id: c.get('requestId'),
    ...{ workspaceId, method, path, status: c.res.status },
    message: redactText(message.slice(0, MAX_MESSAGE)),
    actorKind: actor.kind,
    actorId: actor.kind === 'user' ? actor.userId : actor.kind === 'apiKey' ? actor.keyId : '',
    createdDate: now,
  }
  const counted = {
    ...kept,
    ...{ id: `more ${workspaceId} ${minute}`, method: '', path: '', status: COUNTED, message: '1' },
    ...{ actorKind: 'nobody', actorId: '' },
  }
  const isKept = scope(db, { workspaceId }).inWorkspace(
    requestFailures,
    and(gte(requestFailures.createdDate, minute), ne(requestFailures.status, COUNTED)),
  )
  const keptBefore = sql`(select count(*) from ${requestFailures} where ${isKept})`
  await db.batch([
    insertWhen(db, kept, sql`${keptBefore} < ${MAX_FAILURES_PER_MINUTE}`),
    insertWhen(db, counted, sql`${keptBefore} >= ${MAX_FAILURES_PER_MINUTE} and changes() = 0`).onConflictDoUpdate({
      target: requestFailures.id,
      set: { message: sql`cast(${requestFailures.message} as integer) + 1` },
    }),
  ])
}

function insertWhen(db: Database, row: typeof requestFailures.$inferInsert, condition: SQL) {
  const columns = Object.keys(getTableColumns(requestFailures)) as (keyof typeof row)[]
  const values = sql.join(
    columns.map((column) => sql`${row[column]}`),
    sql`, `,
  )
  return db.insert(requestFailures).select(sql`select ${values} where ${condition}`)
}
