/** Sends the alerts of a trigger when a delivery is dead or the trigger has paused itself. */
import { errorMessage } from '#contract/errors.ts'
import type { Egress } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import { isMember, takeEmailQuota, withoutAddresses } from './alert-email.ts'
import type { DeliveryRow, TriggerRow } from './rows.ts'
import { decryptSecrets } from './webhook/secrets.ts'
import { signatureOf } from './webhook/verify-signature.ts'

export interface Failed {
  delivery: DeliveryRow
  /** Its current row. */
  trigger: TriggerRow
  flowName: string
  wrappedKey: string
}

/** Characters. */
const MAX_NAME = 200
const MAX_REASON = 300
const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 }

export const wantsAlerts = ({ operations }: TriggerRow): boolean =>
  Boolean(operations.alertUrl || operations.alertEmail)

/** Sends both alerts. Throws when one of them failed, so that the caller can retry. */
export async function sendAlerts(services: Services, failed: Failed): Promise<void> {
  const { alertUrl, alertEmail } = failed.trigger.operations
  const { egress } = services.openOutside()
  const sent = await Promise.allSettled([
    alertUrl ? postAlert(services, failed, { egress, url: alertUrl }) : undefined,
    alertEmail ? sendEmail(services, failed, { egress, to: alertEmail }) : undefined,
  ])
  const errors = sent.flatMap((result) => (result.status === 'rejected' ? [errorMessage(result.reason)] : []))
  if (errors.length > 0)
    throw new Error(`Sending the alert of trigger ${failed.trigger.id} failed: ${errors.join('; ')}`)
}

/** Only to members and with a limit, because the authors of flows control the text. */
async function sendEmail(
  { db, clock, mail }: Services,
  failed: Failed,
  { egress, to }: { egress: Egress; to: string },
): Promise<void> {
  if (!(await isMember(db, failed.trigger, to))) return
  if (!(await takeEmailQuota({ db, clock }, failed.trigger))) return
  await mail.send({ to, ...emailFor(failed) }, egress)
}

/** Signed with the trigger's secret, if it has one, like callbacks. */
async function postAlert(
  services: Services,
  failed: Failed,
  { egress, url }: { egress: Egress; url: string },
): Promise<void> {
  const body = JSON.stringify(buildAlert(failed))
  const [secret] = await decryptSecrets(services, failed, services.clock.now())
  const seconds = Math.floor(services.clock.now().getTime() / 1000)
  const headers = {
    'Content-Type': 'application/json',
    ...(secret !== undefined && {
      'X-Heddle-Signature': `t=${seconds},v1=${signatureOf(secret, `${seconds}.`, body)}`,
    }),
  }
  const response = await egress.fetch(url, { method: 'POST', headers, body, redirect: 'manual' }, LIMITS)
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The server responded with status ${response.status}`)
}

const hasStopped = ({ trigger }: Failed) => trigger.state === 'failing'

function buildAlert(failed: Failed) {
  const { delivery, trigger, flowName } = failed
  return {
    event: hasStopped(failed) ? 'trigger.failing' : 'delivery.dead',
    trigger: { id: trigger.id, name: trigger.name, state: trigger.state, failuresInRow: trigger.failuresInRow },
    flow: { id: trigger.flowId, name: flowName },
    delivery: {
      id: delivery.id,
      dueDate: delivery.dueDate,
      attempts: delivery.attempts,
      executionId: delivery.executionId,
      error: delivery.reason,
    },
  }
}

function emailFor(failed: Failed): { subject: string; text: string } {
  const { delivery, trigger, flowName } = failed
  const name = withoutAddresses(`${trigger.name} of ${flowName}`, MAX_NAME)
  const reason = withoutAddresses(delivery.reason ?? 'unknown error', MAX_REASON)
  const attempts = delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`
  const text = [
    `${name}, due at ${delivery.dueDate}, failed after ${attempts}: ${reason}`,
    hasStopped(failed)
      ? `The trigger was paused after ${trigger.failuresInRow} failures in a row. Resume it under Triggers to start runs again.`
      : 'The trigger stays active. You can replay this delivery under Triggers.',
  ]
  return { subject: hasStopped(failed) ? `${name} was paused` : `${name} failed`, text: text.join('\n\n') }
}
