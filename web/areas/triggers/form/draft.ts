/** Converts a trigger to the values of its form and back. Pure. */
import type * as z from 'zod'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { type CreateTrigger, createTriggerSchema, type Trigger } from '#contract/triggers/index.ts'
import type { Operations, ScheduleSettings, TriggerKind, WebhookSettings } from '#contract/triggers/settings.ts'
import {
  newTiming,
  type TimingDraft,
  timingDraft,
  timingProblem,
  toTiming,
  unchangedEndDate,
} from '../../../inputs/schedule/timing.ts'

export interface ScheduleDraft extends TimingDraft {
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
type DraftErrors = Record<string, string>

export function newDraft(kind: TriggerKind, timezone: string): TriggerDraft {
  return {
    flowId: '',
    name: '',
    kind,
    schedule: {
      ...newTiming(timezone),
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

export function toDraft({ flowId, name, kind, settings, operations }: Trigger, timezone: string): TriggerDraft {
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
  const { overlap, missed, jitterSeconds } = settings
  return {
    ...fresh,
    ...timingDraft(settings),
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
  const wrong = timingProblem(draft)
  return {
    ...(wrong && { [`settings.${wrong.field}`]: wrong.message }),
    ...(draft.mode === 'form' &&
      !parseForm(draft.form) && { 'settings.input.form': 'Enter a JSON object, such as {"city": "Bern"}.' }),
  }
}

function scheduleValues(draft: ScheduleDraft, before?: Trigger) {
  const timing = toTiming(draft)
  const storedTiming = before?.settings.kind === 'schedule' ? before.settings : undefined
  return {
    kind: 'schedule',
    ...timing,
    endDate: unchangedEndDate(draft, storedTiming) ?? timing.endDate,
    overlap: draft.overlap,
    missed: draft.missed,
    jitterSeconds: parseNumber(draft.jitterSeconds),
    input: { mode: draft.mode, text: draft.text, form: parseForm(draft.form) ?? {} },
  }
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
