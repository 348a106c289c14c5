/** The webhook that an address names, with what its flow's run stands on. */
import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { WebhookSettings } from '#contract/triggers/settings.ts'
import type { Database } from '#db/client.ts'
import { triggers, workspaces } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import type { RunContext } from '../../../runs/run-context.ts'
import type { Services } from '../../../services.ts'
import { readTriggeredRunContext, type TriggeredRun } from '../../predictions/index.ts'
import { executionIdOf, type TriggerRow } from '../rows.ts'

export interface Webhook {
  trigger: TriggerRow & { settings: WebhookSettings }
  wrappedKey: string
  /** Deliveries that all webhooks of the workspace may take within a minute. */
  perMinute: number | null
  target: Pick<TriggeredRun, 'flow' | 'executionId'>
  /** Of a run of its own, or of one that goes on with a conversation. */
  readRunContext(chatId?: string): Promise<RunContext>
}

/**
 * Whose an address was when it was last called: a guess, because a deleted flow's address may come to name another one.
 * Only addresses that exist get in.
 */
const flows = new Map<string, TriggeredRun['flow']>()
const MAX_KNOWN = 10_000

/**
 * One round trip when the address is known to this isolate, ground included.
 * @param address the trigger's id, or the id of the flow whose start node is the webhook
 */
export async function findWebhook(
  services: Services,
  { address, deliveryId }: { address: string; deliveryId: string },
): Promise<Webhook | undefined> {
  const { db } = services
  const flow = flows.get(address)
  if (!flow) {
    const [row] = await webhookQuery(db, address)
    if (!row) return undefined
    if (flows.size >= MAX_KNOWN) flows.delete(flows.keys().next().value as string)
    flows.set(address, { id: row.trigger.flowId, workspaceId: row.trigger.workspaceId })
    return webhookOf(services, row, deliveryId)
  }
  const target = { flow, executionId: await executionIdOf(flow, { id: deliveryId, attempt: 0 }) }
  const runContext = readTriggeredRunContext(services, target)
  const [[row], ...grounds] = await db.batch([webhookQuery(db, address), ...runContext.statements])
  if (row?.trigger.flowId === flow.id && row.trigger.workspaceId === flow.workspaceId) {
    return webhookOf(services, row, deliveryId, () => runContext.read(grounds))
  }
  flows.delete(address)
  return row && findWebhook(services, { address, deliveryId })
}

export type WebhookRow = Awaited<ReturnType<typeof webhookQuery>>[number]

export function webhookQuery(db: Database, address: string) {
  return acrossWorkspaces(db, 'a request names a webhook by its address, and the row names the workspace')
    .select({ trigger: triggers, wrappedKey: workspaces.wrappedKey, perMinute: workspaces.triggersPerMinute })
    .from(triggers)
    .innerJoin(workspaces, eq(workspaces.id, triggers.workspaceId))
    .where(isAt(address))
    .orderBy(endedLast)
    .limit(1)
}

/** A flow whose Start node was made anew has the webhook of the old one as well. */
export const endedLast = sql`${triggers.state} = 'ended'`

export const isAt = (address: string) =>
  and(
    eq(triggers.kind, 'webhook'),
    or(eq(triggers.id, address), and(eq(triggers.flowId, address), isNotNull(triggers.nodeId))),
  )

async function webhookOf(
  services: Services,
  { trigger, ...more }: WebhookRow,
  deliveryId: string,
  known?: () => RunContext,
): Promise<Webhook | undefined> {
  const { settings } = trigger
  if (settings.kind !== 'webhook') return undefined
  const flow = { id: trigger.flowId, workspaceId: trigger.workspaceId }
  const target = { flow, executionId: await executionIdOf(flow, { id: deliveryId, attempt: 0 }) }
  return {
    ...more,
    trigger: { ...trigger, settings },
    target,
    async readRunContext(chatId) {
      if (known && chatId === undefined) return known()
      const { statements, read } = readTriggeredRunContext(services, {
        ...target,
        ...(chatId !== undefined && { chatId }),
      })
      return read([...(await services.db.batch(statements))])
    },
  }
}
