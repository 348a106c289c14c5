/** Validates the settings of a trigger. */
import { HeddleError } from '#contract/errors.ts'
import { checkSchedule, nextRun, timingKey } from '#contract/triggers/schedule.ts'
import type { Operations, TriggerSettings } from '#contract/triggers/settings.ts'
import type { Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { isMember } from './alert-email.ts'
import { NO_RUNS_LEFT } from './flow-save.ts'

/** Throws `bad_request` naming the field. */
export function checkSettings(settings: TriggerSettings): void {
  const wrong = settings.kind === 'schedule' ? checkSchedule(settings) : null
  if (wrong) throw badField(`settings.${wrong.field}`, wrong.message)
}

/** Throws `bad_request` when this server cannot send e-mail, or not to this address. */
export async function checkOperations(
  { mail, db }: Pick<Services, 'mail' | 'db'>,
  tenant: Tenant,
  { alertEmail }: Operations,
): Promise<void> {
  if (alertEmail === null) return
  if (!mail.isConfigured) {
    throw badField(
      'operations.alertEmail',
      'This server cannot send email. Set MAIL_URL, MAIL_KEY and MAIL_FROM, or use an alert webhook URL',
    )
  }
  if (await isMember(db, tenant, alertEmail)) return
  throw badField('operations.alertEmail', 'Alerts can only be sent to members of this organization')
}

/** Returns the due columns of a trigger that is activated now. Throws `bad_request` when it would never run. */
export function nextTimes(settings: TriggerSettings, now: Date): { nextDue: string | null; timing: string | null } {
  if (settings.kind === 'webhook') return { nextDue: null, timing: null }
  const next = nextRun(settings, now)
  if (!next) throw badField('settings.endDate', NO_RUNS_LEFT)
  return { nextDue: next.toISOString(), timing: timingKey(settings) }
}

export const badField = (field: string, message: string) =>
  new HeddleError('bad_request', `${field}: ${message}`, { field })
