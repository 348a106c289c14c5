/** Creates, updates, pauses, resumes and deletes triggers. */
import { eq } from 'drizzle-orm'
import { parseFlowData } from '#contract/chatflows/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import { FLOW_TYPES, type FlowType } from '#contract/flow/flow-types.ts'
import type { CreateTrigger, Trigger, UpdateTrigger } from '#contract/triggers/index.ts'
import type { TriggerSettings } from '#contract/triggers/settings.ts'
import { readStartTrigger, startInputsOf } from '#contract/triggers/start.ts'
import { chatflows, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Member } from '../../http/route.ts'
import { requireCompiler } from '../../runs/compilers.ts'
import type { Services } from '../../services.ts'
import { assertAllowed, readFlow, readFlowHead, updateFlow } from '../chatflows/index.ts'
import { flowSave as saveUsages } from '../usages/index.ts'
import { flowSave, isBlockedByFlow, isDetached } from './flow-save.ts'
import type { TriggerRow } from './rows.ts'
import { badField, checkOperations, checkSettings, nextTimes } from './settings.ts'
import { triggerNotFound, triggerOf } from './trigger-list.ts'

export interface TriggerTarget {
  id: string
  /** The flow types that the caller may do this with. */
  allowed: FlowType[]
}

/** Creates a trigger without a Start node. It is active at once. */
export async function createTrigger(
  services: Services,
  tenant: Tenant,
  { allowed, ...fields }: CreateTrigger & { allowed: FlowType[] },
): Promise<Trigger> {
  const flow = await readFlowHead(services, tenant, fields.flowId)
  assertAllowed(flow.type, allowed)
  requireCompiler(flow.type)
  checkSettings(fields.settings)
  await checkOperations(services, tenant, fields.operations)
  const id = crypto.randomUUID()
  const now = services.clock.now()
  const dates = { createdDate: now.toISOString(), updatedDate: now.toISOString() }
  const times = nextTimes(fields.settings, now)
  const { kind } = fields.settings
  await scope(services.db, tenant).insert(triggers, { ...fields, id, kind, state: 'active', ...times, ...dates })
  return answer(services, tenant, id)
}

/** Saves settings of a Start node as a version of its flow. Throws `conflict` when the flow was saved in the meantime. */
export async function updateTrigger(
  services: Services,
  member: Member,
  { name, settings, operations, ...target }: UpdateTrigger & TriggerTarget,
): Promise<Trigger> {
  const { trigger } = await readRow(services, member, target)
  if (settings && settings.kind !== trigger.kind) {
    throw badField('settings.kind', `The kind of a trigger cannot be changed. Create a new ${settings.kind} instead`)
  }
  if (settings) checkSettings(settings)
  if (operations) await checkOperations(services, member, operations)
  if (settings && trigger.nodeId !== null) await saveStart(services, member, { trigger, settings, ...target })
  const own = settings && trigger.nodeId === null ? changedTimes(services, trigger, settings) : {}
  await change(services, member, target.id, {
    ...(name !== undefined && { name }),
    ...(operations && { operations }),
    ...own,
  })
  return answer(services, member, target.id)
}

/** Keeps the next run while the timing is unchanged. An ended trigger becomes active when it has a next run again. */
function changedTimes({ clock }: Services, trigger: TriggerRow, settings: TriggerSettings): Partial<TriggerRow> {
  const times = nextTimes(settings, clock.now())
  const isRestartable = trigger.state === 'active' || (trigger.state === 'ended' && !isDetached(trigger))
  if (!isRestartable) return { settings, timing: times.timing }
  if (trigger.state === 'active' && trigger.timing === times.timing) return { settings }
  return { settings, ...times, state: 'active', stateReason: null }
}

async function saveStart(
  services: Services,
  member: Member,
  { trigger, settings, allowed }: TriggerTarget & { trigger: TriggerRow; settings: TriggerSettings },
): Promise<void> {
  if (isDetached(trigger)) throw new HeddleError('conflict', DETACHED)
  const flow = await readFlow(services, member, trigger.flowId)
  const { nodes, ...rest } = parseFlowData(flow.flowData)
  const changed = nodes.map((node) =>
    node.id === trigger.nodeId
      ? { ...node, data: { ...node.data, inputs: startInputsOf(settings, node.data.inputs) } }
      : node,
  )
  const document = { ...rest, nodes: changed }
  const flowData = { text: JSON.stringify(document), document }
  const body = { flowData, version: flow.version, versionNote: 'Trigger settings changed' }
  await updateFlow({ ...services, saves: [flowSave, saveUsages] }, member, { id: flow.id, allowed, body })
}

const DETACHED =
  'The flow’s Start node no longer uses this trigger. Change the node’s Input type or delete this trigger'

export async function pauseTrigger(services: Services, tenant: Tenant, target: TriggerTarget): Promise<Trigger> {
  const { trigger } = await readRow(services, tenant, target)
  if (trigger.state === 'ended') throw new HeddleError('conflict', 'This trigger has ended and cannot be paused')
  const changes = trigger.state === 'paused' ? {} : { state: 'paused' as const, stateReason: null, nextDue: null }
  await change(services, tenant, target.id, changes)
  return answer(services, tenant, target.id)
}

/** Continues with the next run from now, without making up for missed ones. */
export async function resumeTrigger(services: Services, tenant: Tenant, target: TriggerTarget): Promise<Trigger> {
  const { trigger } = await readRow(services, tenant, target)
  if (isBlockedByFlow(trigger)) {
    throw new HeddleError(
      'conflict',
      isDetached(trigger) ? DETACHED : `${trigger.stateReason}. Change it in the flow’s Start node`,
    )
  }
  if (trigger.state !== 'active') {
    checkSettings(trigger.settings)
    if (trigger.nodeId !== null) await assertNodeValid(services, tenant, trigger)
    const times = nextTimes(trigger.settings, services.clock.now())
    await change(services, tenant, target.id, { ...times, state: 'active', stateReason: null, failuresInRow: 0 })
  }
  return answer(services, tenant, target.id)
}

/** A paused trigger keeps its old settings while those of its node are invalid, so the node is checked. */
async function assertNodeValid(services: Services, tenant: Tenant, { flowId }: TriggerRow): Promise<void> {
  const { flowData } = await readFlow(services, tenant, flowId)
  const start = readStartTrigger(parseFlowData(flowData))
  if (start && 'problem' in start)
    throw new HeddleError('conflict', `${start.problem}. Change it in the flow’s Start node`)
}

/** Deletes a trigger and its deliveries, but not their executions. */
export async function deleteTrigger(services: Services, tenant: Tenant, target: TriggerTarget): Promise<void> {
  const { trigger } = await readRow(services, tenant, target)
  if (trigger.nodeId !== null && !isDetached(trigger)) {
    throw new HeddleError(
      'conflict',
      'This trigger belongs to the flow’s Start node. Pause it, or change the node’s Input type first',
    )
  }
  const rows = scope(services.db, tenant)
  await services.db.batch([
    rows.delete(triggerDeliveries, eq(triggerDeliveries.triggerId, target.id)),
    rows.delete(triggers, eq(triggers.id, target.id)),
  ])
}

/** Throws `not_found`, or `forbidden` when the caller has no permission for the flow's type. */
export async function readRow({ db }: Pick<Services, 'db'>, tenant: Tenant, { id, allowed }: TriggerTarget) {
  const [row] = await db
    .select({ trigger: triggers, flow: { id: chatflows.id, name: chatflows.name, type: chatflows.type } })
    .from(triggers)
    .innerJoin(chatflows, eq(chatflows.id, triggers.flowId))
    .where(scope(db, tenant).inWorkspace(triggers, eq(triggers.id, id)))
  if (!row) throw triggerNotFound(id)
  assertAllowed(row.flow.type, allowed)
  return row
}

async function change({ db, clock }: Services, tenant: Tenant, id: string, set: Partial<TriggerRow>): Promise<void> {
  const updatedDate = clock.now().toISOString()
  await scope(db, tenant).update(triggers, eq(triggers.id, id), { ...set, updatedDate })
}

async function answer(services: Services, tenant: Tenant, id: string): Promise<Trigger> {
  const { trigger, flow } = await readRow(services, tenant, { id, allowed: [...FLOW_TYPES] })
  return triggerOf(trigger, flow)
}
