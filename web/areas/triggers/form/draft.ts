/** Converts a trigger to the values of its form and back. Pure. */
import type * as z from 'zod'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { type CreateTrigger, createTriggerSchema, type Trigger } from '#contract/triggers/index.ts'
import {
  checkSchedule,
  cronOfPicker,
  instantOf,
  NEW_SCHEDULE,
  type Picker,
  pickerOf,
} from '#contract/triggers/schedule.ts'
import type { Operations, ScheduleSettings, TriggerKind, WebhookSettings } from '#contract/triggers/settings.ts'
import { dateIn } from '../../../inputs/trigger/clock.ts'

export interface ScheduleDraft {
  by: 'picker' | 'cron'
  frequency: Picker['frequency']
  minute: string
  time: string
  weekdays: number[]
  days: (number | 'L')[]
  cron: string
  timezone: string
  /** `2026-12-31`, inclusive in the time zone; empty for none. */
  endDate: string
  overlap: ScheduleSettings['overlap']
  missed: ScheduleSettings['missed']
  jitterSeconds: string
  mode: ScheduleSettings['input']['mode']
  text: string
  form: string
}

export interface ExpectedRow {
  name: string
  required: boolean
}

export type BodyRow = ExpectedRow & { type: NonNullable<WebhookSettings['validation']>['body'][number]['type'] }

export interface WebhookDraft
  extends Pick<WebhookSettings, 'method' | 'contentType' | 'signature' | 'signatureHeader' | 'response'> {
  toleranceSeconds: string
  maxKilobytes: string
  mode: WebhookSettings['input']['mode']
  text: string
  validates: boolean
  query: ExpectedRow[]
  headers: ExpectedRow[]
  body: BodyRow[]
  callbackUrl: string
}

export type OperationsDraft = Record<keyof Operations, string>

export interface TriggerDraft {
  flowId: string
  name: string
  kind: TriggerKind
  schedule: ScheduleDraft
  webhook: WebhookDraft
  operations: OperationsDraft
}

/** Messages by field, named as in the API: `settings.cron`. */
export type DraftErrors = Record<string, string>

export function newDraft(kind: TriggerKind, timezone: string): TriggerDraft {
  return {
    flowId: '',
    name: '',
    kind,
    schedule: {
      by: 'picker',
      ...NEW_SCHEDULE,
      minute: String(NEW_SCHEDULE.minute),
      weekdays: [...NEW_SCHEDULE.weekdays],
      days: [...NEW_SCHEDULE.days],
      cron: '0 9 * * 1-5',
      timezone,
      endDate: '',
      overlap: 'skip',
      missed: 'skip',
      jitterSeconds: '0',
      mode: 'none',
      text: '',
      form: '{}',
    },
    webhook: {
      method: 'POST',
      contentType: 'application/json',
      signature: 'heddle',
      signatureHeader: 'x-webhook-signature',
      toleranceSeconds: '300',
      maxKilobytes: '1024',
      mode: 'payload',
      text: '',
      validates: false,
      query: [],
      headers: [],
      body: [],
      response: 'sync',
      callbackUrl: '',
    },
    operations: {
      retries: '0',
      retryWaitSeconds: '60',
      pauseAfter: '5',
      perMinute: '',
      keepDays: '30',
      alertUrl: '',
      alertEmail: '',
    },
  }
}

export function draftOf({ flowId, name, kind, settings, operations }: Trigger, timezone: string): TriggerDraft {
  const fresh = newDraft(kind, timezone)
  const texts = Object.entries(operations).map(([key, value]) => [key, value === null ? '' : String(value)])
  return {
    ...fresh,
    flowId,
    name,
    operations: Object.fromEntries(texts) as OperationsDraft,
    ...(settings.kind === 'schedule'
      ? { schedule: scheduleDraft(settings, fresh.schedule) }
      : { webhook: webhookDraft(settings, fresh.webhook) }),
  }
}

function scheduleDraft({ input, ...settings }: ScheduleSettings, fresh: ScheduleDraft): ScheduleDraft {
  const { cron, timezone, endDate, overlap, missed, jitterSeconds } = settings
  const { minute, ...picker } = pickerOf(cron) ?? {}
  return {
    ...fresh,
    ...picker,
    ...(minute !== undefined && { minute: String(minute) }),
    by: pickerOf(cron) ? 'picker' : 'cron',
    cron,
    timezone,
    endDate: endDate === null ? '' : dateIn(timezone, new Date(endDate)),
    overlap,
    missed,
    jitterSeconds: String(jitterSeconds),
    mode: input.mode,
    ...(input.mode === 'text' && { text: input.text }),
    ...(input.mode === 'form' && { form: JSON.stringify(input.form, null, 2) }),
  }
}

function webhookDraft({ input, validation, ...settings }: WebhookSettings, fresh: WebhookDraft): WebhookDraft {
  const { toleranceSeconds, maxBytes, callbackUrl, kind: _, ...same } = settings
  return {
    ...fresh,
    ...same,
    toleranceSeconds: String(toleranceSeconds),
    maxKilobytes: String(maxBytes / 1024),
    callbackUrl: callbackUrl ?? '',
    mode: input.mode,
    ...(input.mode === 'text' && { text: input.text }),
    validates: validation !== null,
    ...validation,
  }
}

/** Returns the cron expression of the draft, or what it lacks. */
export function cronOf(draft: ScheduleDraft): { cron: string } | { problem: string } {
  if (draft.by === 'cron') return { cron: draft.cron.trim() }
  const { frequency, minute, time, weekdays, days } = draft
  try {
    return { cron: cronOfPicker({ frequency, minute: parseNumber(minute) as number, time, weekdays, days }) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Returns the timing as far as it is filled in. `checkSchedule` reports what is wrong with it. */
export function timingOf(draft: ScheduleDraft): { cron: string; timezone: string; endDate: string | null } {
  const found = cronOf(draft)
  const { timezone, endDate } = draft
  return {
    cron: 'cron' in found ? found.cron : '',
    timezone,
    endDate: endDate === '' ? null : (instantOf(endDate, timezone) ?? endDate),
  }
}

export function readDraft(
  draft: TriggerDraft,
  before?: Trigger,
): { ok: true; value: CreateTrigger } | { ok: false; errors: DraftErrors } {
  const isSchedule = draft.kind === 'schedule'
  const own = isSchedule ? scheduleErrors(draft.schedule) : {}
  const parsed = createTriggerSchema.safeParse({
    flowId: draft.flowId,
    name: draft.name,
    settings: isSchedule ? scheduleValues(draft.schedule, before) : webhookValues(draft.webhook),
    operations: operationValues(draft.operations),
  })
  const errors = { ...(parsed.success ? {} : fieldIssues(parsed.error)), ...own }
  if (!parsed.success || Object.keys(errors).length > 0) return { ok: false, errors }
  return { ok: true, value: parsed.data }
}

function scheduleErrors(draft: ScheduleDraft): DraftErrors {
  const found = cronOf(draft)
  if ('problem' in found) return { 'settings.cron': found.problem }
  const wrong = checkSchedule(timingOf(draft))
  return {
    ...(wrong && { [`settings.${wrong.field}`]: wrong.message }),
    ...(draft.mode === 'form' &&
      !parseForm(draft.form) && { 'settings.input.form': 'Enter a JSON object, such as {"city": "Bern"}.' }),
  }
}

function scheduleValues(draft: ScheduleDraft, before?: Trigger) {
  const timing = timingOf(draft)
  return {
    kind: 'schedule',
    ...timing,
    endDate: unchangedEndDate(draft, before) ?? timing.endDate,
    overlap: draft.overlap,
    missed: draft.missed,
    jitterSeconds: parseNumber(draft.jitterSeconds),
    input: { mode: draft.mode, text: draft.text, form: parseForm(draft.form) ?? {} },
  }
}

/** Returns the stored end date, with its time of day, when neither day nor zone has changed. */
function unchangedEndDate({ endDate, timezone }: ScheduleDraft, before?: Trigger): string | null {
  const settings = before?.settings
  if (settings?.kind !== 'schedule' || settings.endDate === null || settings.timezone !== timezone) return null
  return dateIn(timezone, new Date(settings.endDate)) === endDate ? settings.endDate : null
}

function webhookValues(draft: WebhookDraft) {
  const { validates, query, headers, body, mode, text, maxKilobytes, toleranceSeconds, callbackUrl, ...same } = draft
  const named = <Row extends ExpectedRow>(rows: Row[]) =>
    rows.filter(({ name }) => name.trim() !== '').map((row) => ({ ...row, name: row.name.trim() }))
  return {
    kind: 'webhook',
    ...same,
    toleranceSeconds: parseNumber(toleranceSeconds),
    maxBytes: Math.round(Number(parseNumber(maxKilobytes) ?? Number.NaN) * 1024),
    input: { mode, text },
    validation: validates ? { query: named(query), headers: named(headers), body: named(body) } : null,
    callbackUrl: draft.response === 'async' ? callbackUrl.trim() || null : null,
  }
}

const operationValues = ({ perMinute, alertUrl, alertEmail, ...counts }: OperationsDraft) => ({
  ...Object.fromEntries(Object.entries(counts).map(([key, text]) => [key, parseNumber(text)])),
  perMinute: perMinute.trim() === '' ? null : parseNumber(perMinute),
  alertUrl: alertUrl.trim() || null,
  alertEmail: alertEmail.trim() || null,
})

/** Returns NaN for text that is not a number, which the schema rejects. */
const parseNumber = (text: string): number | undefined => (text.trim() === '' ? Number.NaN : Number(text))

function parseForm(text: string): Record<string, unknown> | undefined {
  const value = tryParseJson(text)
  return isRecord(value) ? value : undefined
}

const FIELD_MESSAGES: DraftErrors = {
  flowId: 'Choose a flow.',
  'settings.input.text': 'Enter a message.',
  'settings.jitterSeconds': 'Enter a number from 0 to 3600.',
  'settings.toleranceSeconds': 'Enter a number from 1 to 86400.',
  'settings.maxBytes': 'Enter a number from 1 to 4096.',
  'settings.signatureHeader': 'Enter a header name.',
  'operations.retries': 'Enter a number from 0 to 10.',
  'operations.retryWaitSeconds': 'Enter a number from 0 to 3600.',
  'operations.pauseAfter': 'Enter a number from 0 to 1000.',
  'operations.perMinute': 'Enter a number from 1 to 100000, or leave it empty.',
  'operations.keepDays': 'Enter a number from 1 to 3650.',
  'operations.alertEmail': 'Enter an email address, or leave it empty.',
}

function fieldIssues(error: z.ZodError): DraftErrors {
  return Object.fromEntries(
    error.issues.map(({ path, message }) => {
      const field = path.join('.')
      return [field, FIELD_MESSAGES[field] ?? message]
    }),
  )
}
