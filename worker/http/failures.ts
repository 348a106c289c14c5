/** Keeps what the members, keys and callers of a workspace were refused, to be found by request id. */
import { and, gte, ne, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { redactText } from '#contract/data/redact-text.ts'
import { errorReport, HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { insertWhen } from '#db/insert-when.ts'
import { requestFailures } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { calledWorkspace } from './called-workspace.ts'
import type { AppEnv } from './route.ts'

/** Failures of a workspace that one minute keeps; the others are counted in one row. */
export const MAX_FAILURES_PER_MINUTE = 30
/** The status of the row that counts. */
export const COUNT_STATUS = 0

const MAX_MESSAGE = 500

/** Writes after the answer. Failures that belong to no workspace are not kept. */
export const recordFailures = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const workspaceId = calledWorkspace(c)
  if (c.res.status < 400 || workspaceId === undefined) return
  const written = readMessage(c).then((message) => writeFailure(c, { workspaceId, message }))
  c.executionCtx.waitUntil(written.catch((error: unknown) => console.error('record of a failure:', errorReport(error))))
})

async function readMessage({ error, res }: Context<AppEnv>): Promise<string> {
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
  const counter = `more ${workspaceId} ${minute}`
  if (uncounted.has(counter)) return countLater(db, { id: counter, workspaceId, createdDate: now })
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
  const isKept = scope(db, { workspaceId }).inWorkspace(
    requestFailures,
    and(gte(requestFailures.createdDate, minute), ne(requestFailures.status, COUNT_STATUS)),
  )
  const keptBefore = sql`(select count(*) from ${requestFailures} where ${isKept})`
  const written = await insertWhen(
    db,
    requestFailures,
    kept,
    sql`${keptBefore} < ${MAX_FAILURES_PER_MINUTE}`,
  ).returning({
    id: requestFailures.id,
  })
  if (written.length > 0) return
  forgetMinutesBefore(minute)
  await countLater(db, { id: counter, workspaceId, createdDate: now })
}

/**
 * The failures of minutes that are full and are not in their row yet, by the row's id. A flood is no write for each of
 * its requests, but one a second; of what an isolate has counted, it loses a second's when it ends.
 */
const uncounted = new Map<string, number>()
const COUNT_MS = 1000

type Counter = Pick<typeof requestFailures.$inferInsert, 'id' | 'workspaceId' | 'createdDate'>

async function countLater(db: Database, { workspaceId, ...counter }: Counter): Promise<void> {
  const waiting = uncounted.get(counter.id) ?? 0
  uncounted.set(counter.id, waiting + 1)
  // The first one writes for all that come until then.
  if (waiting > 0) return
  await new Promise((resolve) => setTimeout(resolve, COUNT_MS))
  const more = uncounted.get(counter.id) ?? 0
  uncounted.set(counter.id, 0)
  const row = { method: '', path: '', status: COUNT_STATUS, message: String(more), actorKind: 'nobody', actorId: '' }
  await scope(db, { workspaceId })
    .insert(requestFailures, { ...counter, ...row })
    .onConflictDoUpdate({
      target: requestFailures.id,
      set: { message: sql`cast(${requestFailures.message} as integer) + ${more}` },
    })
}

function forgetMinutesBefore(minute: string): void {
  for (const [counter, waiting] of uncounted) if (waiting === 0 && !counter.endsWith(minute)) uncounted.delete(counter)
}
