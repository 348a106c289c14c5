/** Updates the trigger of a flow's Start node in the batch that saves the flow. */
import { and, type Column, eq, exists, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import { nextRun, timingKey } from '#contract/triggers/schedule.ts'
import {
  operationsSchema,
  scheduleSettingsSchema,
  type TriggerKind,
  type TriggerSettings,
  webhookSettingsSchema,
} from '#contract/triggers/settings.ts'
import { readStartTrigger, type StartTrigger } from '#contract/triggers/start.ts'
import type { Database } from '#db/client.ts'
import { chatflows, triggers } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { FlowSave, SavedFlow } from '../chatflows/index.ts'

const PROBLEM = 'Its settings need a change. '
const NOT_USED = 'The flow’s Start node no longer uses this trigger'
const IMPORTED = 'Imported as paused. Resume it to start runs'
export const NO_RUNS_LEFT = 'No runs left before the end date. Set a later date or remove it'

/** True when only an edit of the flow can make the trigger run again. */
export const isBlockedByFlow = ({ state, stateReason }: { state: string; stateReason: string | null }): boolean =>
  stateReason !== null &&
  ((state === 'paused' && stateReason.startsWith(PROBLEM)) || (state === 'ended' && stateReason === NOT_USED))

/** True when the flow's Start node no longer uses the trigger. */
export const isDetached = ({ state, stateReason }: { state: string; stateReason: string | null }): boolean =>
  state === 'ended' && stateReason === NOT_USED

/** The first save activates the trigger. Later saves keep its state, and its next run unless the timing changes. */
export const flowSave: FlowSave = (db, tenant, flow) => {
  const start = readStartTrigger(flow.flowData.document)
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
  const end = rows.update(triggers, others, { state: 'ended', stateReason: NOT_USED, nextDue: null })
  return start ? [end, upsert(db, tenant, { flow, start })] : [end]
}

/** Compares the data, because two saves in one millisecond have the same date and one of them is refused. */
const isSaveOf = ({ id, flowData }: SavedFlow): SQL | undefined =>
  and(eq(chatflows.id, id), eq(chatflows.flowData, flowData.text))

/** The state of a trigger that is activated now. */
function initialState(
  settings: TriggerSettings,
  now: Date,
): { state: 'active' | 'ended'; reason: string | null; due: string | null } {
  if (settings.kind === 'webhook') return { state: 'active', reason: null, due: null }
  const due = nextRun(settings, now)
  return due
    ? { state: 'active', reason: null, due: due.toISOString() }
    : { state: 'ended', reason: NO_RUNS_LEFT, due: null }
}

function upsert(db: Database, tenant: Tenant, { flow, start }: { flow: SavedFlow; start: StartTrigger }) {
  const isWrong = 'problem' in start
  const settings = isWrong ? placeholder(start.kind) : start.settings
  const timing = settings.kind === 'schedule' ? timingKey(settings) : null
  const initial = initialState(settings, new Date(flow.updatedDate))
  const wrong = isWrong ? `${PROBLEM}${start.problem}` : null
  const first = wrong
    ? { state: 'paused' as const, reason: wrong, due: null }
    : flow.isImported
      ? { state: 'paused' as const, reason: IMPORTED, due: null }
      : initial
  const changes = wrong ? stopped(wrong) : refreshed({ name: start.name, settings, timing, initial })
  return db.run(sql`
    insert into ${triggers} (id, workspace_id, flow_id, node_id, name, kind, settings, operations, state, state_reason,
      next_due, timing, created_date, updated_date)
    select ${crypto.randomUUID()}, ${chatflows.workspaceId}, ${chatflows.id}, ${start.nodeId}, ${start.name},
      ${start.kind}, ${JSON.stringify(settings)}, ${JSON.stringify(operationsSchema.parse({}))}, ${first.state},
      ${first.reason}, ${first.due}, ${timing}, ${flow.updatedDate}, ${flow.updatedDate}
    from ${chatflows} where ${scope(db, tenant).inWorkspace(chatflows, isSaveOf(flow))}
    on conflict (flow_id, node_id) do update set updated_date = ${flow.updatedDate}, ${changes}`)
}

/** Invalid settings leave the stored ones unchanged. A trigger that was already stopped keeps its reason. */
function stopped(reason: string): SQL {
  const isReplaceable = sql`${triggers.state} in ('active', 'ended') or ${triggers.stateReason} like ${`${PROBLEM}%`}`
  return sql`
    state = case when ${isReplaceable} then 'paused' else ${triggers.state} end,
    state_reason = case when ${isReplaceable} then ${reason} else ${triggers.stateReason} end,
    next_due = null`
}

interface Refresh {
  name: string
  settings: TriggerSettings
  timing: string | null
  initial: ReturnType<typeof initialState>
}

/** Triggers stopped for their settings or no longer used are activated; active ones keep their next run. A change of kind changes the name. */
function refreshed({ name, settings, timing, initial }: Refresh): SQL {
  const isSameTiming = sql`${triggers.timing} is ${timing} and ${triggers.kind} = ${settings.kind}`
  const isActivated = sql`(
    ${triggers.state} = 'ended' and (${triggers.stateReason} = ${NOT_USED} or not (${isSameTiming}))
    or ${triggers.state} = 'paused' and ${triggers.stateReason} like ${`${PROBLEM}%`}
    or ${triggers.state} = 'active' and not (${isSameTiming}))`
  const either = (fresh: string | null, old: Column) => sql`case when ${isActivated} then ${fresh} else ${old} end`
  return sql`
    name = case when ${triggers.kind} = ${settings.kind} then ${triggers.name} else ${name} end,
    kind = ${settings.kind}, settings = ${JSON.stringify(settings)}, timing = ${timing},
    state = ${either(initial.state, triggers.state)},
    state_reason = ${either(initial.reason, triggers.stateReason)},
    next_due = ${either(initial.due, triggers.nextDue)}`
}

/** Settings of a trigger that never had valid ones. */
function placeholder(kind: TriggerKind): TriggerSettings {
  return kind === 'schedule'
    ? scheduleSettingsSchema.parse({ kind, cron: '0 0 * * *', input: { mode: 'none' } })
    : webhookSettingsSchema.parse({ kind, input: { mode: 'none' } })
}
