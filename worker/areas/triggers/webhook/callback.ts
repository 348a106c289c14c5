/** Sends the outcome of a delivery to the webhook's callback URL, with retries. */
import { eq } from 'drizzle-orm'
import { errorMessage } from '#contract/errors.ts'
import type { Callback } from '#contract/triggers/index.ts'
import type { TriggerSettings } from '#contract/triggers/settings.ts'
import { triggerDeliveries, triggers, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Egress } from '../../../ports/types.ts'
import type { Services } from '../../../services.ts'
import type { DeliveryRow } from '../rows.ts'
import { readDeliveryStatus } from './delivery-status.ts'
import { decryptSecrets } from './secrets.ts'
import { signatureOf } from './verify-signature.ts'

/** Milliseconds before each attempt. */
const WAITS = [0, 2_000, 4_000, 8_000, 16_000, 32_000]
const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 }

/** Returns undefined when the trigger sends no callbacks. */
export function callbackUrlOf(settings: TriggerSettings): string | undefined {
  if (settings.kind !== 'webhook' || settings.response !== 'async') return undefined
  return settings.callbackUrl ?? undefined
}

/** True when the callback was delivered or its attempts are used up. */
export const isCallbackSent = ({ callback }: Pick<DeliveryRow, 'callback'>): boolean =>
  callback !== null && (callback.isDelivered || callback.attempts >= WAITS.length)

/** Stores each attempt. Does nothing while the run is in progress: its end sends the callback. */
export async function sendCallback(
  services: Services,
  { deliveryId, ...tenant }: Tenant & { deliveryId: string },
): Promise<void> {
  const { db, clock } = services
  const rows = scope(db, tenant)
  const [row] = await db
    .select({ delivery: triggerDeliveries, trigger: triggers, wrappedKey: workspaces.wrappedKey })
    .from(triggerDeliveries)
    .innerJoin(triggers, eq(triggers.id, triggerDeliveries.triggerId))
    .innerJoin(workspaces, eq(workspaces.id, triggerDeliveries.workspaceId))
    .where(rows.inWorkspace(triggerDeliveries, eq(triggerDeliveries.id, deliveryId)))
  const url = row && callbackUrlOf(row.trigger.settings)
  if (!row || url === undefined) return
  const outcome = await readDeliveryStatus(services, row.delivery)
  if (outcome.status === 'PROCESSING') return
  const body = JSON.stringify(outcome)
  const { egress } = services.openOutside()
  for (const [index, wait] of WAITS.entries()) {
    await clock.sleep(wait)
    const [secret] = await decryptSecrets(services, row, clock.now())
    const headers = buildHeaders({ deliveryId, body, secret, now: clock.now() })
    const result = await post(egress, { url, headers, body })
    const callback = { url, attempts: index + 1, ...result }
    await rows.update(triggerDeliveries, eq(triggerDeliveries.id, deliveryId), { callback })
    if (callback.isDelivered) return
  }
}

/** Signed with the webhook's secret in Flowise's and Heddle's scheme, or unsigned without a secret. */
function buildHeaders({
  deliveryId,
  body,
  secret,
  now,
}: {
  deliveryId: string
  body: string
  secret?: string
  now: Date
}) {
  const plain = { 'Content-Type': 'application/json', 'X-Heddle-Delivery': deliveryId }
  if (secret === undefined) return plain
  const seconds = Math.floor(now.getTime() / 1000)
  return {
    ...plain,
    'X-Flowise-Signature': `sha256=${signatureOf(secret, '', body)}`,
    'X-Heddle-Signature': `t=${seconds},v1=${signatureOf(secret, `${seconds}.`, body)}`,
  }
}

async function post(
  egress: Egress,
  { url, headers, body }: { url: string; headers: Record<string, string>; body: string },
): Promise<Pick<Callback, 'status' | 'error' | 'isDelivered'>> {
  try {
    const response = await egress.fetch(url, { method: 'POST', headers, body, redirect: 'manual' }, LIMITS)
    await response.body?.cancel()
    const { status, ok } = response
    return { status, error: ok ? null : `The server responded with status ${status}`, isDelivered: ok }
  } catch (error) {
    return { status: null, error: errorMessage(error), isDelivered: false }
  }
}
