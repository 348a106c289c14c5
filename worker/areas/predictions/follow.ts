/** Reads along with a run of the draft, for people who come back to its chat. */
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { errorReport } from '#contract/errors.ts'
import { executions } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { AppEnv, Member } from '../../http/route.ts'
import { type Emit, eventStream } from '../../runs/answers/sse.ts'
import { executionNotFound } from '../../runs/errors.ts'
import { runningRun } from '../../runs/running.ts'

const POLL_MS = 40
/** Readers who went away are not noticed, so each stream ends; those who stay ask again. */
const FOLLOW_MS = 60_000

interface Followed {
  flowId: string
  executionId: string
}

/**
 * Streams the tokens, steps and tools of a run from its beginning until it is over. The stream is empty when the run is
 * over already or in another isolate. Throws `not_found` for runs that are not of this flow's test chats.
 */
export async function followRun(
  c: Context<AppEnv>,
  member: Member,
  { flowId, executionId }: Followed,
): Promise<Response> {
  const { db, clock } = c.var.services
  const isTest = sql`${executions.input} ->> '$.chatType' = 'INTERNAL'`
  const named = and(eq(executions.id, executionId), eq(executions.agentflowId, flowId), isTest)
  const [found] = await scope(db, member).count(executions, named)
  if (!found?.count) throw executionNotFound(executionId)
  const until = clock.now().getTime() + FOLLOW_MS
  const work = async (emit: Emit) => {
    let characters = 0
    let events = 0
    const run = runningRun(executionId)
    while (run) {
      // Asked before the rest is sent, so that nothing is said between the two.
      const isOver = runningRun(executionId) !== run
      for (const event of run.progress.slice(events)) emit(event)
      if (run.text.length > characters) emit({ event: 'token', data: run.text.slice(characters) })
      characters = run.text.length
      events = run.progress.length
      if (isOver || clock.now().getTime() > until) return
      await clock.sleep(POLL_MS)
    }
  }
  return eventStream(work, (promise) =>
    c.executionCtx.waitUntil(promise.catch((error) => console.error('reading along:', errorReport(error)))),
  )
}
