/** Finds the webhook at an address, with the context of its run. */
import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { WebhookSettings } from '#contract/triggers/settings.ts'
import type { Database } from '#db/client.ts'
import { triggers, workspaces } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import type { RunContext } from '../../../runs/context/run-context.ts'
import { readTriggeredRunContext, type TriggeredRun } from '../../../runs/triggered-run.ts'
import type { Services } from '../../../services.ts'
import { deriveExecutionId, type TriggerRow } from '../rows.ts'

export interface Webhook {
  trigger: TriggerRow & { settings: WebhookSettings }
  wrappedKey: string
  /** The workspace's limit on deliveries per minute; null for no limit. */
  perMinute: number | null
  target: Pick<TriggeredRun, 'flow' | 'executionId'>
  /** With a chat id, the context of a run that continues the conversation. */
  readRunContext(chatId?: string): Promise<RunContext>
}

/**
 * The flow of an address when it was last called. A guess, because the address of a deleted flow can be reused.
 * Holds existing addresses only.
 */
const flows = new Map<string, TriggeredRun['flow']>()
const MAX_KNOWN = 10_000

/**
 * One round trip when this isolate knows the address. `address` is the id of the trigger, or of the flow whose Start node
 * is the webhook.
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
    return openWebhook(services, row, deliveryId)
  }
  const target = { flow, executionId: await deriveExecutionId(flow, { id: deliveryId, attempt: 0 }) }
  const runContext = readTriggeredRunContext(services, target)
  const [[row], ...contextRows] = await db.batch([webhookQuery(db, address), ...runContext.statements])
  if (row?.trigger.flowId === flow.id && row.trigger.workspaceId === flow.workspaceId) {
    return openWebhook(services, row, deliveryId, () => runContext.read(contextRows))
  }
  flows.delete(address)
  return row && findWebhook(services, { address, deliveryId })
}

type WebhookRow = Awaited<ReturnType<typeof webhookQuery>>[number]

function webhookQuery(db: Database, address: string) {
  return acrossWorkspaces(db, 'a request names a webhook by its address, and the row names the workspace')
    .select({ trigger: triggers, wrappedKey: workspaces.wrappedKey, perMinute: workspaces.triggersPerMinute })
    .from(triggers)
    .innerJoin(workspaces, and(eq(workspaces.id, triggers.workspaceId), isNull(workspaces.deletedDate)))
    .where(isAt(address))
    .orderBy(endedLast)
    .limit(1)
}

/** A flow whose Start node was replaced also has the ended webhook of the old node. */
export const endedLast = sql`${triggers.state} = 'ended'`

export const isAt = (address: string) =>
  and(
    eq(triggers.kind, 'webhook'),
    or(eq(triggers.id, address), and(eq(triggers.flowId, address), isNotNull(triggers.nodeId))),
  )

async function openWebhook(
  services: Services,
  { trigger, ...more }: WebhookRow,
  deliveryId: string,
  known?: () => RunContext,
): Promise<Webhook | undefined> {
  const { settings } = trigger
  if (settings.kind !== 'webhook') return undefined
  const flow = { id: trigger.flowId, workspaceId: trigger.workspaceId }
  const target = { flow, executionId: await deriveExecutionId(flow, { id: deliveryId, attempt: 0 }) }
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
