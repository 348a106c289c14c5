/** Replays a run: a new run copies its steps up to a chosen one and runs on from there. */

import { and, eq, inArray, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { Replay } from '#contract/runs/executions.ts'
import { isWithin } from '#contract/runs/step-paths.ts'
import type { Database } from '#db/client.ts'
import { executionSteps, executions, runTexts } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { meaningOf } from '../engine/log-rows.ts'
import type { StepRow } from '../engine/types.ts'
import type { Services } from '../services.ts'
import { type RunContext, readRunContext } from './context/run-context.ts'
import { executionNotFound } from './errors.ts'
import type { StoredCall } from './inputs/call.ts'
import type { Statement } from './records/run-record.ts'
import { openingStatements } from './records/run-statements.ts'
import { createRun, type RunStart } from './run-start.ts'

/**
 * Throws `not_found` when there is no such execution, or no such step in it.
 * @param mayReplay throws when the actor may not replay runs of this flow type
 */
export async function replayRun(
  services: Services,
  tenant: Tenant,
  { id, path, inputs, draft, mayReplay }: Replay & { id: string; mayReplay(type: FlowType): void },
): Promise<RunStart> {
  const { db } = services
  const original = await readOriginal(db, tenant, { id, draft })
  mayReplay(original.flow.type)
  const done = stepsBefore(original, path)
  const executionId = crypto.randomUUID()
  // A session of its own, so that the replay stays out of the conversation, with an id that the run's does not reveal.
  const chatId = crypto.randomUUID()
  const call = replayedCall(original, { path, inputs })
  const start: RunStart = {
    ...createRun(services, { executionId, chatId, sessionId: chatId, call, runContext: original }),
    done: done.map((row) => ({ ...row, isCopied: true })),
  }
  const origin = { replayOf: id, replayFrom: path }
  return { ...start, opening: [...openingStatements(db, start, origin), ...copySteps(db, { from: id, start })] }
}

type Original = RunContext & { run: NonNullable<RunContext['run']> }

async function readOriginal(
  db: Database,
  tenant: Tenant,
  { id, draft }: { id: string; draft: boolean },
): Promise<Original> {
  const missing = executionNotFound(id)
  const [found] = await db
    .select({ flowId: executions.agentflowId })
    .from(executions)
    .where(scope(db, tenant).inWorkspace(executions, eq(executions.id, id)))
  if (!found) throw missing
  const version = draft ? 'draft' : 'own'
  const { run, ...runContext } = await readRunContext(db, { flowId: found.flowId, tenant, version, run: sql`${id}` })
  if (!run) throw missing
  return { ...runContext, run }
}

/**
 * Returns the ended steps before the first row of this path, or of a step inside it. Questions are not copied: the new
 * run asks its own. A step that an edited flow added comes before every step below it.
 */
function stepsBefore({ run, document }: Original, path: string): StepRow[] {
  const nodeId = path.split(/[#@]/)[0] as string
  const known = document.nodes.some(({ id }) => id === nodeId)
  const ran = run.steps.some((row) => row.path === path)
  if (!known) throw new HeddleError('not_found', `path: There is no step ${path} in this flow`, { field: 'path' })
  if (!ran && nodeId !== path) {
    throw new HeddleError('not_found', `path: The step ${path} did not run`, { field: 'path' })
  }
  const below = ran ? undefined : reachableFrom(document, nodeId)
  const end =
    run.steps.find((row) => (below ? below.has(row.nodeId) : isWithin(row.path, path)))?.seq ?? Number.POSITIVE_INFINITY
  return run.steps.filter((row) => row.seq < end && meaningOf(row) === 'ended')
}

function reachableFrom({ edges }: FlowDocument, id: string): Set<string> {
  const found = new Set([id])
  for (const each of found) for (const { source, target } of edges) if (source === each) found.add(target)
  return found
}

function replayedCall({ run }: Original, { path, inputs }: Pick<Replay, 'path' | 'inputs'>): StoredCall {
  const { edits, past, ...call } = JSON.parse(run.input) as StoredCall
  return {
    ...call,
    chatType: 'INTERNAL',
    apiMessageId: crypto.randomUUID(),
    edits: { ...edits, ...(inputs && { [path]: inputs }) },
    past: past ?? { sessionId: run.sessionId, before: run.createdDate, run: run.id },
  }
}

/** Copies the rows inside the database, and the texts that they refer to. */
function copySteps(db: Database, { from, start }: { from: string; start: RunStart }): Statement[] {
  if (start.done.length === 0) return []
  const { seq, path, nodeId, takenOutputs, item, texts, sealed, startedAt, finishedAt } = executionSteps
  const seqs = start.done.map((row) => row.seq)
  const isCopied = and(eq(executionSteps.executionId, from), inArray(seq, seqs))
  const copy = db.insert(executionSteps).select((query) =>
    query
      .select({
        executionId: sql<string>`${start.executionId}`.as('execution_id'),
        seq,
        path,
        nodeId,
        takenOutputs,
        item,
        texts,
        sealed,
        isCopied: sql<boolean>`true`.as('is_copied'),
        startedAt,
        finishedAt,
      })
      .from(executionSteps)
      .where(isCopied),
  )
  const refs = sql`(select ref.value from ${executionSteps}, json_each(${texts}) ref where ${isCopied})`
  const copyTexts = db
    .insert(runTexts)
    .select((query) =>
      query
        .select({
          executionId: sql<string>`${start.executionId}`.as('execution_id'),
          hash: runTexts.hash,
          text: runTexts.text,
          createdDate: sql<string>`${start.startedAt.toISOString()}`.as('created_date'),
        })
        .from(runTexts)
        .where(and(eq(runTexts.executionId, from), inArray(runTexts.hash, refs))),
    )
    .onConflictDoNothing()
  return [copyTexts, copy]
}
