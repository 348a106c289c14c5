/** Statements that keep the trigger of a flow's Start node in step with it; they run in the batch of the save. */
import { and, type Column, eq, exists, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import type { FlowData } from '#contract/chatflows.ts'
import { nextRun, timingKey } from '#contract/triggers/schedule.ts'
import {
  operationsSchema,
  scheduleSettingsSchema,
  type TriggerKind,
  type TriggerSettings,
  webhookSettingsSchema,
} from '#contract/triggers/settings.ts'
import { type StartTrigger, startTriggerOf } from '#contract/triggers/start.ts'
import type { Database } from '#db/client.ts'
import { chatflows, triggers } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'

const PROBLEM = 'It cannot run as it is set. '
const NOT_NAMED = 'The flow’s Start node does not name it any more'
const IMPORTED = 'It came with an import. Resume it when it should run here'
export const NOTHING_COMES = 'Its end date leaves no run any more. Set a later one, or none'

/** Whether only a change of the flow lets it run again. */
export const isBlockedByFlow = ({ state, stateReason }: { state: string; stateReason: string | null }): boolean =>
  stateReason !== null &&
  ((state === 'paused' && stateReason.startsWith(PROBLEM)) || (state === 'ended' && stateReason === NOT_NAMED))

/** Whether its flow's Start node is another one now, or one that a person starts. */
export const isDetached = ({ state, stateReason }: { state: string; stateReason: string | null }): boolean =>
  state === 'ended' && stateReason === NOT_NAMED

export interface SavedFlow {
  id: string
  /** Nothing changes for a flow that does not hold it: its save was refused. */
  flowData: FlowData
  updatedDate: string
  isImported?: boolean
}

/** A first save begins it; a later one leaves its state, and the next run while nothing about time has changed. */
export function triggerStatements(db: Database, tenant: Tenant, flow: SavedFlow) {
  const start = startTriggerOf(flow.flowData.document)
  const rows = scope(db, tenant)
  const isSaved = exists(
    db
      .select({ one: sql`1` })
      .from(chatflows)
      .where(rows.inWorkspace(chatflows, isSaveOf(flow))),
  )
  const others = and(
    eq(triggers.flowId, flow.id),
    isNotNull(triggers.nodeId),
    start ? ne(triggers.nodeId, start.nodeId) : undefined,
    ne(triggers.state, 'ended'),
    isSaved,
  )
  const end = rows.update(triggers, others, { state: 'ended', stateReason: NOT_NAMED, nextDue: null })
  return start ? [end, put(db, tenant, { flow, start })] : [end]
}

/** Not by the time: two saves of one millisecond have the same, and one of them is refused. */
const isSaveOf = ({ id, flowData }: SavedFlow): SQL | undefined =>
  and(eq(chatflows.id, id), eq(chatflows.flowData, flowData.text))

/** What a trigger stands at when it begins. */
function beginning(
  settings: TriggerSettings,
  now: Date,
): { state: 'active' | 'ended'; reason: string | null; due: string | null } {
  if (settings.kind === 'webhook') return { state: 'active', reason: null, due: null }
  const due = nextRun(settings, now)
  return due
    ? { state: 'active', reason: null, due: due.toISOString() }
    : { state: 'ended', reason: NOTHING_COMES, due: null }
}

function put(db: Database, tenant: Tenant, { flow, start }: { flow: SavedFlow; start: StartTrigger }) {
  const isWrong = 'problem' in start
  const settings = isWrong ? placeholder(start.kind) : start.settings
  const timing = settings.kind === 'schedule' ? timingKey(settings) : null
  const begun = beginning(settings, new Date(flow.updatedDate))
  const wrong = isWrong ? `${PROBLEM}${start.problem}` : null
  const first = wrong
    ? { state: 'paused' as const, reason: wrong, due: null }
    : flow.isImported
      ? { state: 'paused' as const, reason: IMPORTED, due: null }
      : begun
  const changes = wrong ? stopped(wrong) : kept({ name: start.name, settings, timing, begun })
  return db.run(sql`
    insert into ${triggers} (id, workspace_id, flow_id, node_id, name, kind, settings, operations, state, state_reason,
      next_due, timing, created_date, updated_date)
    select ${crypto.randomUUID()}, ${chatflows.workspaceId}, ${chatflows.id}, ${start.nodeId}, ${start.name},
      ${start.kind}, ${JSON.stringify(settings)}, ${JSON.stringify(operationsSchema.parse({}))}, ${first.state},
      ${first.reason}, ${first.due}, ${timing}, ${flow.updatedDate}, ${flow.updatedDate}
    from ${chatflows} where ${scope(db, tenant).inWorkspace(chatflows, isSaveOf(flow))}
    on conflict (flow_id, node_id) do update set updated_date = ${flow.updatedDate}, ${changes}`)
}

/** What is set wrong keeps the settings that it had. One that was stopped anyway keeps its reason. */
function stopped(reason: string): SQL {
  const goesOn = sql`${triggers.state} in ('active', 'ended') or ${triggers.stateReason} like ${`${PROBLEM}%`}`
  return sql`
    state = case when ${goesOn} then 'paused' else ${triggers.state} end,
    state_reason = case when ${goesOn} then ${reason} else ${triggers.stateReason} end,
    next_due = null`
}

interface Kept {
  name: string
  settings: TriggerSettings
  timing: string | null
  begun: ReturnType<typeof beginning>
}

/** What stood still for its settings, or because nothing named it, begins anew; what runs goes on at its minute. Another kind has another name. */
function kept({ name, settings, timing, begun }: Kept): SQL {
  const isSameTiming = sql`${triggers.timing} is ${timing} and ${triggers.kind} = ${settings.kind}`
  const begins = sql`(
    ${triggers.state} = 'ended' and (${triggers.stateReason} = ${NOT_NAMED} or not (${isSameTiming}))
    or ${triggers.state} = 'paused' and ${triggers.stateReason} like ${`${PROBLEM}%`}
    or ${triggers.state} = 'active' and not (${isSameTiming}))`
  const either = (fresh: string | null, old: Column) => sql`case when ${begins} then ${fresh} else ${old} end`
  return sql`
    name = case when ${triggers.kind} = ${settings.kind} then ${triggers.name} else ${name} end,
    kind = ${settings.kind}, settings = ${JSON.stringify(settings)}, timing = ${timing},
    state = ${either(begun.state, triggers.state)},
    state_reason = ${either(begun.reason, triggers.stateReason)},
    next_due = ${either(begun.due, triggers.nextDue)}`
}

/** What a trigger has that was never set right. */
function placeholder(kind: TriggerKind): TriggerSettings {
  return kind === 'schedule'
    ? scheduleSettingsSchema.parse({ kind, cron: '0 0 * * *', input: { mode: 'none' } })
    : webhookSettingsSchema.parse({ kind, input: { mode: 'none' } })
}
