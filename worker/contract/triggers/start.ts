/**
 * Converts between the inputs of a Start node and the settings of its trigger. Input names are Flowise's, with our own
 * where Flowise has none.
 */
import type * as z from 'zod'
import { parseFencedJson } from '../data/json.ts'
import type { FlowDocument } from '../flow/document/document.ts'
import { startNodes } from '../flow/kinds/agentflow/nodes.ts'
import { isBlank } from '../flow/params/blank.ts'
import { FIELD_LABELS } from './labels.ts'
import { checkSchedule, cronOfPicker, NEW_SCHEDULE, type Picker, parseInstant, parsePicker } from './schedule.ts'
import {
  type ScheduleSettings,
  scheduleSettingsSchema,
  type TriggerKind,
  type TriggerSettings,
  type WebhookSettings,
  webhookSettingsSchema,
} from './settings.ts'

type Inputs = Record<string, unknown>

export type StartTrigger = { nodeId: string; kind: TriggerKind; name: string } & (
  | { settings: TriggerSettings }
  | StartProblem
)

interface StartProblem {
  /** Why it cannot run, as a text for people. */
  problem: string
  /** The input with the problem. */
  param: string
}

/** Returns null when the flow has no Start node, or one without a trigger. */
export function readStartTrigger(document: Pick<FlowDocument, 'nodes'>): StartTrigger | null {
  const [node] = startNodes(document)
  const inputs = node?.data.inputs ?? {}
  const kind = KINDS[String(inputs.startInputType)]
  if (!node || !kind) return null
  const { label } = node.data
  const name = !label || label === 'Start' ? NAMES[kind] : label
  const read = kind === 'schedule' ? readSchedule(inputs) : readWebhook(inputs)
  return { nodeId: node.id, kind, name, ...('problem' in read ? read : { settings: read }) }
}

const KINDS: Record<string, TriggerKind | undefined> = { scheduleInput: 'schedule', webhookTrigger: 'webhook' }
const NAMES: Record<TriggerKind, string> = { schedule: 'Schedule', webhook: 'Webhook' }

/** Converts settings to inputs. Keeps the node's other inputs. */
export function startInputsOf(settings: TriggerSettings, current: Inputs = {}): Inputs {
  const own = settings.kind === 'schedule' ? scheduleInputs(settings, current) : webhookInputs(settings, current)
  return { ...current, ...own }
}

function readSchedule(inputs: Inputs): ScheduleSettings | StartProblem {
  const timezone = inputText(inputs.scheduleTimezone) || 'UTC'
  const timing = readTiming(inputs)
  if ('problem' in timing) return timing
  const input = readScheduleInput(inputs)
  if ('problem' in input) return input
  const settings = parseSettings(scheduleSettingsSchema, {
    kind: 'schedule',
    cron: timing.cron,
    timezone,
    endDate: endDateOf(inputs.scheduleEndDate, timezone),
    overlap: inputs.scheduleOverlap || undefined,
    missed: inputs.scheduleMissed || undefined,
    jitterSeconds: numberOf(inputs.scheduleJitter),
    input,
  })
  if ('problem' in settings) return settings
  const wrong = checkSchedule(settings)
  if (!wrong) return settings
  const setting = wrong.field === 'cron' ? timing.setting : wrong.field
  return { problem: `${labelOf(setting)}: ${wrong.message}`, param: paramOf(setting) }
}

/** Returns the expression, and the setting that a problem with it belongs to. */
function readTiming(inputs: Inputs): { cron: string; setting: string } | StartProblem {
  if (isPicker(inputs)) {
    try {
      return { cron: cronOfPicker(readPicker(inputs)), setting: 'frequency' }
    } catch (error) {
      const problem = (error as Error).message
      const setting = PICKER_SETTINGS.find((each) => problem.startsWith(labelOf(each)))
      return { problem, param: paramOf(setting ?? 'frequency') }
    }
  }
  const cron = inputText(inputs.scheduleCronExpression).trim()
  if (cron) return { cron, setting: 'cron' }
  return { problem: `${FIELD_LABELS.cron} is required`, param: paramOf('cron') }
}

/** Flowise files may leave the type out; then the filled inputs decide. */
function isPicker({ scheduleType, scheduleFrequency, scheduleCronExpression }: Inputs): boolean {
  if (scheduleType) return scheduleType !== 'cronExpression'
  return !isBlank(scheduleFrequency) || isBlank(scheduleCronExpression)
}

function readPicker(inputs: Inputs): Picker {
  const frequency = inputText(inputs.scheduleFrequency ?? NEW_SCHEDULE.frequency)
  if (!['hourly', 'daily', 'weekly', 'monthly'].includes(frequency))
    throw new Error(`${FIELD_LABELS.frequency} is required`)
  return {
    frequency: frequency as Picker['frequency'],
    minute: numberOf(inputs.scheduleOnMinute ?? NEW_SCHEDULE.minute),
    time: inputText(inputs.scheduleOnTime ?? NEW_SCHEDULE.time),
    weekdays: listOf(inputs.scheduleOnDayOfWeek ?? NEW_SCHEDULE.weekdays).map(Number),
    days: listOf(inputs.scheduleOnDayOfMonth ?? NEW_SCHEDULE.days).map((day) => (/^l$/i.test(day) ? 'L' : Number(day))),
  }
}

function readScheduleInput(inputs: Inputs): { mode: string; text?: string; form?: unknown } | StartProblem {
  const mode = inputText(inputs.scheduleInputMode) || 'text'
  if (mode === 'text') {
    const text = inputText(inputs.scheduleDefaultInput)
    if (isBlank(text)) return { problem: `${FIELD_LABELS.text} is required`, param: 'scheduleDefaultInput' }
    return { mode, text }
  }
  if (mode !== 'form') return { mode }
  const form = isBlank(inputs.scheduleFormDefaults) ? {} : jsonOf(inputs.scheduleFormDefaults)
  if (typeof form !== 'object' || form === null || Array.isArray(form)) {
    const problem = `${FIELD_LABELS.form} must be a JSON object, such as {"city": "Bern"}`
    return { problem, param: 'scheduleFormDefaults' }
  }
  if (Object.keys(form).length === 0 && itemsOf(inputs.scheduleFormInputTypes).length === 0) {
    return { problem: 'Form fields: Add at least one field', param: 'scheduleFormInputTypes' }
  }
  return { mode, form }
}

function readWebhook(inputs: Inputs): WebhookSettings | StartProblem {
  const mode = inputText(inputs.webhookInputMode) || 'text'
  return parseSettings(webhookSettingsSchema, {
    kind: 'webhook',
    method: inputs.webhookMethod || undefined,
    contentType: inputs.webhookContentType || undefined,
    signature: isOn(inputs.webhookEnableAuth) ? inputs.webhookSignatureType || 'hmac-sha256' : 'none',
    signatureHeader: inputText(inputs.webhookSignatureHeader).trim() || undefined,
    toleranceSeconds: numberOf(inputs.webhookTolerance),
    maxBytes: numberOf(inputs.webhookMaxBytes),
    input: mode === 'text' ? { mode, text: inputText(inputs.webhookDefaultInput) } : { mode },
    validation: isOn(inputs.webhookEnableValidation)
      ? {
          query: readExpected(inputs.webhookQueryParams),
          headers: readExpected(inputs.webhookHeaderParams),
          body: readExpected(inputs.webhookBodyParams).map((item) => ({ ...item, type: item.type || 'string' })),
        }
      : null,
    response: inputs.webhookResponseMode || undefined,
    callbackUrl: inputText(inputs.callbackUrl).trim() || null,
  })
}

function scheduleInputs({ cron, input, ...settings }: ScheduleSettings, current: Inputs): Inputs {
  return {
    startInputType: 'scheduleInput',
    ...timingInputs(cron, current),
    scheduleTimezone: settings.timezone,
    scheduleEndDate: settings.endDate ?? '',
    scheduleOverlap: settings.overlap,
    scheduleMissed: settings.missed,
    scheduleJitter: settings.jitterSeconds,
    scheduleInputMode: input.mode,
    ...(input.mode === 'text' && { scheduleDefaultInput: input.text }),
    ...(input.mode === 'form' && {
      scheduleFormDefaults: JSON.stringify(input.form, null, 2),
      scheduleFormInputTypes: formFields(input.form, current),
    }),
  }
}

/** Keeps the node's own notation for an unchanged expression; uses the picker for a new one when it can. */
function timingInputs(cron: string, current: Inputs): Inputs {
  const written = readTiming(current)
  if ('cron' in written && written.cron === cron) {
    return { scheduleType: isPicker(current) ? 'visualPicker' : 'cronExpression' }
  }
  const picker = current.scheduleType === 'cronExpression' ? null : parsePicker(cron)
  if (!picker) return { scheduleType: 'cronExpression', scheduleCronExpression: cron }
  return {
    scheduleType: 'visualPicker',
    scheduleFrequency: picker.frequency,
    scheduleOnMinute: picker.minute ?? '',
    scheduleOnTime: picker.time ?? '',
    scheduleOnDayOfWeek: (picker.weekdays ?? []).join(','),
    scheduleOnDayOfMonth: (picker.days ?? []).join(','),
  }
}

function formFields(form: Inputs, current: Inputs): unknown[] {
  const fields = itemsOf(current.scheduleFormInputTypes)
  const known = new Set(fields.map(({ name }) => name))
  const added = Object.entries(form).filter(([name]) => !known.has(name))
  const typeOf = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? typeof value : 'string')
  return [...fields, ...added.map(([name, value]) => ({ type: typeOf(value), label: name, name }))]
}

function webhookInputs({ input, validation, ...settings }: WebhookSettings, current: Inputs): Inputs {
  return {
    startInputType: 'webhookTrigger',
    webhookMethod: settings.method,
    webhookContentType: settings.contentType,
    webhookEnableAuth: settings.signature !== 'none',
    webhookSignatureType: settings.signature === 'none' ? (current.webhookSignatureType ?? '') : settings.signature,
    webhookSignatureHeader: settings.signatureHeader,
    webhookTolerance: settings.toleranceSeconds,
    webhookMaxBytes: settings.maxBytes,
    webhookInputMode: input.mode,
    ...(input.mode === 'text' && { webhookDefaultInput: input.text }),
    webhookEnableValidation: validation !== null,
    ...(validation && {
      webhookQueryParams: validation.query,
      webhookHeaderParams: validation.headers,
      webhookBodyParams: validation.body,
    }),
    webhookResponseMode: settings.response,
    callbackUrl: settings.callbackUrl ?? '',
  }
}

/** The input of each setting. */
const PARAMS: Record<string, string> = {
  cron: 'scheduleCronExpression',
  frequency: 'scheduleFrequency',
  minute: 'scheduleOnMinute',
  time: 'scheduleOnTime',
  weekdays: 'scheduleOnDayOfWeek',
  days: 'scheduleOnDayOfMonth',
  timezone: 'scheduleTimezone',
  endDate: 'scheduleEndDate',
  overlap: 'scheduleOverlap',
  missed: 'scheduleMissed',
  jitterSeconds: 'scheduleJitter',
  input: 'scheduleInputMode',
  method: 'webhookMethod',
  contentType: 'webhookContentType',
  signature: 'webhookSignatureType',
  signatureHeader: 'webhookSignatureHeader',
  toleranceSeconds: 'webhookTolerance',
  maxBytes: 'webhookMaxBytes',
  response: 'webhookResponseMode',
  query: 'webhookQueryParams',
  headers: 'webhookHeaderParams',
  body: 'webhookBodyParams',
  callbackUrl: 'callbackUrl',
}

const paramOf = (setting: string): string => PARAMS[setting] ?? setting

const labelOf = (setting: string): string => FIELD_LABELS[setting as keyof typeof FIELD_LABELS] ?? setting

const PICKER_SETTINGS = ['minute', 'time', 'weekdays', 'days']

function parseSettings<Settings extends TriggerSettings>(
  schema: z.ZodType<Settings>,
  value: { kind: string } & Inputs,
): Settings | StartProblem {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const [first = '', second = ''] = (issue?.path ?? []).map(String)
  const setting = first === 'validation' ? second : first
  const param = setting === 'input' && value.kind === 'webhook' ? 'webhookInputMode' : paramOf(setting)
  return { problem: `${labelOf(setting)}: ${issue?.message}`, param }
}

function endDateOf(value: unknown, timezone: string): string | null {
  const text = inputText(value).trim()
  if (text === '') return null
  return parseInstant(text, timezone) ?? text
}

function readExpected(value: unknown): Inputs[] {
  return itemsOf(value)
    .filter(({ name }) => !isBlank(name))
    .map(({ name, type, required }) => ({
      name: inputText(name).trim(),
      ...(type ? { type } : {}),
      required: isOn(required),
    }))
}

const itemsOf = (value: unknown): Inputs[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []

/** Pickers store lists as `1,3`, as `["1","3"]`, or as an array. */
function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  const text = inputText(value).replace(/[[\]"\s]/g, '')
  return text === '' ? [] : text.split(',')
}

function inputText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** Returns NaN for other texts, so that the schema reports the field. */
function numberOf(value: unknown): number | undefined {
  return isBlank(value) ? undefined : Number(value)
}

const isOn = (value: unknown) => value === true || value === 'true'

const jsonOf = (value: unknown) => (typeof value === 'string' ? parseFencedJson(value) : value)
