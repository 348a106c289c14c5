/** The input that a delivery starts its flow with. */
import { readPath } from '#contract/flow/document/path.ts'
import { compileTemplate, type Lookup } from '#contract/flow/references/references.ts'
import type { Payload, WebhookPayload } from '#contract/triggers/index.ts'
import type { TriggerSettings } from '#contract/triggers/settings.ts'
import type { TriggeredRun } from '../../runs/triggered-run.ts'
import { editorText } from '../../text/html-to-markdown.ts'

/** A blank question: nodes read the payload by references. */
const BLANK_QUESTION = ' '

/** A question or form in the payload overrides the trigger's settings. */
export function inputOf(settings: TriggerSettings, payload: Payload | null): TriggeredRun['input'] {
  const { question, form, webhook } = payload ?? {}
  const given = { ...(webhook && { webhook }), ...(form && { form }), ...(question !== undefined && { question }) }
  if (question !== undefined || form) return given
  return settings.kind === 'schedule'
    ? { ...given, ...scheduleInput(settings.input) }
    : { ...given, ...webhookInput(settings.input, webhook) }
}

function scheduleInput(input: Extract<TriggerSettings, { kind: 'schedule' }>['input']): TriggeredRun['input'] {
  if (input.mode === 'form') return { form: input.form }
  return { question: input.mode === 'text' ? editorText(input.text) : BLANK_QUESTION }
}

function webhookInput(
  input: Extract<TriggerSettings, { kind: 'webhook' }>['input'],
  webhook: WebhookPayload | undefined,
): TriggeredRun['input'] {
  if (input.mode === 'payload') return {}
  if (input.mode === 'none') return { question: BLANK_QUESTION }
  const text = editorText(input.text)
  const lookup: Lookup = ({ root, path }) => (root === '$webhook' ? readPath(webhook, path) : undefined)
  return { question: String(compileTemplate(text)?.(lookup) ?? text) || BLANK_QUESTION }
}
