/** What the settings of a trigger are called: in the Start node, in the trigger form, and in messages about them. */
import type { Signature } from './settings.ts'

export const FIELD_LABELS = {
  scheduleType: 'Schedule type',
  cron: 'Cron expression',
  frequency: 'Frequency',
  minute: 'Minute',
  time: 'Time',
  weekdays: 'Days of the week',
  days: 'Days of the month',
  endDate: 'End date',
  timezone: 'Time zone',
  overlap: 'If the previous run is still running',
  missed: 'Runs missed while Heddle was down',
  jitterSeconds: 'Random delay (up to, seconds)',
  input: 'Input',
  text: 'Message',
  form: 'Form values',
  method: 'Method',
  contentType: 'Content type',
  signature: 'Authentication',
  signatureHeader: 'Header name',
  toleranceSeconds: 'Signature tolerance (seconds)',
  maxBytes: 'Maximum body size',
  response: 'Response',
  callbackUrl: 'Callback URL',
  body: 'Expected body fields',
  query: 'Expected query parameters',
  headers: 'Expected headers',
} as const

export const CRON_HELP =
  'Minute, hour, day of month, month, weekday. Supports names, ranges (1-5), lists (1,3), steps (*/15) and L for the last day. If you set both days, either one matches.'

export const FREQUENCY_LABELS = {
  hourly: 'Every hour',
  daily: 'Every day',
  weekly: 'Days of the week',
  monthly: 'Days of the month',
} as const

export const OVERLAP_LABELS = {
  skip: 'Skip this run',
  queue: 'Queue this run',
  together: 'Run both at once',
} as const

export const MISSED_LABELS = { skip: 'Skip and record them', runOnce: 'Run once' } as const

export const CONTENT_TYPE_LABELS = {
  'application/json': 'JSON',
  'application/x-www-form-urlencoded': 'Form',
} as const

export const WEBHOOK_INPUT_LABELS = {
  payload: 'Full request',
  text: 'Message with values from the request',
  none: 'No input (nodes can still reference the request)',
} as const

export const RESPONSE_LABELS = {
  sync: 'When the flow finishes, with its answer',
  async: 'Immediately (202), with a status URL',
  stream: 'Streaming (SSE)',
} as const

export const SIGNATURE_LABELS: Record<Signature, string> = {
  none: 'None (public)',
  heddle: 'Signature with timestamp',
  github: 'GitHub',
  stripe: 'Stripe',
  slack: 'Slack',
  shopify: 'Shopify',
  'hmac-sha256': 'HMAC-SHA256 of the body',
  'plain-token': 'Plain token',
}
