/** The schedule of a flow's Start node in Flowise's shape. */
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type {
  DeletedLogs,
  LogState,
  ScheduleLogs,
  ScheduleRecord,
  ScheduleStatus,
} from '#contract/triggers/flow-schedule.ts'
import { LOG_STATES } from '#contract/triggers/flow-schedule.ts'
import type { DeliveryState } from '#contract/triggers/index.ts'
import { nextRun } from '#contract/triggers/schedule.ts'
import { triggerDeliveries, triggers } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { assertAllowed, readFlowHead } from '../chatflows/index.ts'
import { deleteExecutions } from '../executions/index.ts'
import { isBlockedByFlow, isDetached, NO_RUNS_LEFT } from './flow-save.ts'
import type { TriggerRow } from './rows.ts'
import { pauseTrigger, resumeTrigger } from './store.ts'

const STATES: Record<LogState, DeliveryState[]> = {
  QUEUED: ['queued'],
  RUNNING: ['running'],
  SUCCEEDED: ['succeeded'],
  FAILED: ['dead'],
  SKIPPED: ['skipped', 'refused'],
}

interface FlowTarget {
  flowId: string
  allowed: FlowType[]
}

/** Tells whether the schedule is enabled and whether it can be. */
export async function scheduleStatus(services: Services, tenant: Tenant, target: FlowTarget): Promise<ScheduleStatus> {
  const { trigger, type } = await readSchedule(services, tenant, target)
  if (!trigger) return { enabled: false, canEnable: false, reason: NOT_SCHEDULED, record: null }
  const reason = disabledReason(trigger, services.clock.now())
  const record = await readScheduleRecord(services, tenant, { trigger, type })
  return { enabled: record.enabled, canEnable: reason === undefined, ...(reason && { reason }), record }
}

const NOT_SCHEDULED = 'The flow’s Start node has no Schedule input. Change its Input type first'

function disabledReason(trigger: TriggerRow, now: Date): string | undefined {
  if (isBlockedByFlow(trigger)) return trigger.stateReason ?? NOT_SCHEDULED
  return trigger.settings.kind === 'schedule' && nextRun(trigger.settings, now) ? undefined : NO_RUNS_LEFT
}

/** Throws `not_found` when the flow has no schedule, `conflict` or `bad_request` when it cannot be enabled. */
export async function enableSchedule(
  services: Services,
  tenant: Tenant,
  { enabled, ...target }: FlowTarget & { enabled: boolean },
): Promise<ScheduleRecord> {
  const { id } = (await requireSchedule(services, tenant, target)).trigger
  const toggle = enabled ? resumeTrigger : pauseTrigger
  await toggle(services, tenant, { id, allowed: target.allowed })
  return readScheduleRecord(services, tenant, await requireSchedule(services, tenant, target))
}

interface LogQuery extends FlowTarget {
  page: number
  limit: number
  status?: LogState
}

const { id, flowId, executionId, state, reason, duration, dueDate, workspaceId, startedDate } = triggerDeliveries

/** Newest first. */
export async function scheduleLogs(
  services: Services,
  tenant: Tenant,
  { page, limit, status, ...target }: LogQuery,
): Promise<ScheduleLogs> {
  const { trigger, type } = await readSchedule(services, tenant, target)
  if (!trigger) return { data: [], total: 0, page, limit }
  const rows = scope(services.db, tenant)
  const condition = and(
    eq(triggerDeliveries.triggerId, trigger.id),
    status && inArray(triggerDeliveries.state, STATES[status]),
  )
  const [deliveries, [total]] = await services.db.batch([
    services.db
      .select({ id, flowId, executionId, state, reason, duration, dueDate, workspaceId, startedDate })
      .from(triggerDeliveries)
      .where(rows.inWorkspace(triggerDeliveries, condition))
      .orderBy(desc(triggerDeliveries.dueDate), desc(triggerDeliveries.id))
      .limit(limit)
      .offset((page - 1) * limit),
    rows.count(triggerDeliveries, condition),
  ])
  const data = deliveries.map((delivery) => ({
    id: delivery.id,
    scheduleRecordId: trigger.id,
    triggerType: type,
    targetId: delivery.flowId,
    executionId: delivery.executionId,
    status: LOG_STATES.find((state) => STATES[state].includes(delivery.state)) as LogState,
    error: delivery.state === 'succeeded' ? null : delivery.reason,
    elapsedTimeMs: delivery.duration,
    scheduledAt: delivery.dueDate,
    workspaceId: delivery.workspaceId,
    createdDate: delivery.startedDate ?? delivery.dueDate,
  }))
  return { data, total: total?.count ?? 0, page, limit }
}

/** Deletes deliveries with their executions, except starred ones. */
export async function deleteLogs(
  services: Services,
  tenant: Tenant,
  { logIds, ...target }: FlowTarget & { logIds: string[] },
): Promise<DeletedLogs> {
  const { id } = (await requireSchedule(services, tenant, target)).trigger
  const asked = and(eq(triggerDeliveries.triggerId, id), inArray(triggerDeliveries.id, logIds))
  const deleted = await scope(services.db, tenant)
    .delete(triggerDeliveries, asked)
    .returning({ executionId: triggerDeliveries.executionId })
  const executionIds = deleted.flatMap(({ executionId }) => executionId ?? [])
  const runs = await deleteExecutions(services.db, tenant, { executionIds, includeStarred: false })
  return { success: true, deletedLogs: deleted.length, deletedExecutions: runs.deletedCount }
}

interface FlowSchedule {
  trigger: TriggerRow
  /** The type of its flow. */
  type: FlowType
}

async function requireSchedule(services: Services, tenant: Tenant, target: FlowTarget): Promise<FlowSchedule> {
  const { trigger, type } = await readSchedule(services, tenant, target)
  if (!trigger) throw new HeddleError('not_found', NOT_SCHEDULED)
  return { trigger, type }
}

async function readSchedule(services: Services, tenant: Tenant, { flowId, allowed }: FlowTarget) {
  const { type } = await readFlowHead(services, tenant, flowId)
  assertAllowed(type, allowed)
  const ofNode = and(eq(triggers.flowId, flowId), eq(triggers.kind, 'schedule'), isNotNull(triggers.nodeId))
  const found = (await scope(services.db, tenant).select(triggers, ofNode)) as TriggerRow[]
  return { trigger: found.find((trigger) => !isDetached(trigger)), type }
}

async function readScheduleRecord(
  { db }: Services,
  tenant: Tenant,
  { trigger, type }: FlowSchedule,
): Promise<ScheduleRecord> {
  const { settings } = trigger
  if (settings.kind !== 'schedule') throw new Error('Only schedules have a record')
  const { input } = settings
  const [last] = await db
    .select({ date: sql<string | null>`max(${triggerDeliveries.startedDate})` })
    .from(triggerDeliveries)
    .where(scope(db, tenant).inWorkspace(triggerDeliveries, eq(triggerDeliveries.triggerId, trigger.id)))
  return {
    id: trigger.id,
    triggerType: type,
    targetId: trigger.flowId,
    nodeId: trigger.nodeId,
    cronExpression: settings.cron,
    timezone: settings.timezone,
    enabled: trigger.state === 'active',
    scheduleInputMode: input.mode,
    defaultInput: input.mode === 'text' ? input.text : null,
    defaultForm: input.mode === 'form' ? JSON.stringify(input.form) : null,
    lastRunAt: last?.date ?? null,
    nextRunAt: trigger.nextDue,
    endDate: settings.endDate,
    workspaceId: trigger.workspaceId,
    createdDate: trigger.createdDate,
    updatedDate: trigger.updatedDate,
  }
}
