/** Tells who wants to know that a delivery was given up, and whether its trigger stopped itself for it. */
import { errorMessage } from '#contract/errors.ts'
import type { Egress } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import { isMember, takeEmailQuota, withoutAddresses } from './alert-email.ts'
import type { DeliveryRow, TriggerRow } from './rows.ts'
import { secretsOf } from './webhook/secrets.ts'
import { signatureOf } from './webhook/verify-signature.ts'

export interface Failed {
  delivery: DeliveryRow
  /** As it stands now. */
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

/** Both ways are tried. Throws when one did not take it, so that it can be tried again. */
export async function sendAlerts(services: Services, failed: Failed): Promise<void> {
  const { alertUrl, alertEmail } = failed.trigger.operations
  const { egress } = services.openOutside()
  const sent = await Promise.allSettled([
    alertUrl ? post(services, failed, { egress, url: alertUrl }) : undefined,
    alertEmail ? write(services, failed, { egress, to: alertEmail }) : undefined,
  ])
  const errors = sent.flatMap((result) => (result.status === 'rejected' ? [errorMessage(result.reason)] : []))
  if (errors.length > 0)
    throw new Error(`The alert of trigger ${failed.trigger.id} was not taken: ${errors.join('; ')}`)
}

/** Only to members, and only so often: what a letter says is up to whoever made the flow. */
async function write(
  { db, clock, mail }: Services,
  failed: Failed,
  { egress, to }: { egress: Egress; to: string },
): Promise<void> {
  if (!(await isMember(db, failed.trigger, to))) return
  if (!(await takeEmailQuota({ db, clock }, failed.trigger))) return
  await mail.send({ to, ...emailFor(failed) }, egress)
}

/** Signed with the trigger's own secret when it has one, as its callbacks are. */
async function post(
  services: Services,
  failed: Failed,
  { egress, url }: { egress: Egress; url: string },
): Promise<void> {
  const body = JSON.stringify(noticeOf(failed))
  const [secret] = await secretsOf(services, failed, services.clock.now())
  const seconds = Math.floor(services.clock.now().getTime() / 1000)
  const headers = {
    'Content-Type': 'application/json',
    ...(secret !== undefined && {
      'X-Heddle-Signature': `t=${seconds},v1=${signatureOf(secret, `${seconds}.`, body)}`,
    }),
  }
  const response = await egress.fetch(url, { method: 'POST', headers, body, redirect: 'manual' }, LIMITS)
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The address answered ${response.status}`)
}

const hasStopped = ({ trigger }: Failed) => trigger.state === 'failing'

function noticeOf(failed: Failed) {
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
  const reason = withoutAddresses(delivery.reason ?? 'no reason is known', MAX_REASON)
  const tries = delivery.attempts === 1 ? 'once' : `${delivery.attempts} times`
  const text = [
    `${name} was due at ${delivery.dueDate}. It was tried ${tries} and failed: ${reason}`,
    hasStopped(failed)
      ? `The trigger has stopped itself after ${trigger.failuresInRow} failures in a row. Nothing runs until somebody resumes it under Triggers.`
      : 'The trigger goes on. This delivery can be replayed under Triggers.',
  ]
  return { subject: hasStopped(failed) ? `${name} has stopped itself` : `${name} failed`, text: text.join('\n\n') }
}
