/** What a delivery starts its flow with. */
import { readPath } from '#contract/flow/document/path.ts'
import { compileTemplate, type Lookup } from '#contract/flow/references/references.ts'
import type { Payload, WebhookPayload } from '#contract/triggers/index.ts'
import type { TriggerSettings } from '#contract/triggers/settings.ts'
import { editorText } from '../../engine/html-to-markdown.ts'
import type { TriggeredRun } from '../predictions/index.ts'

/** A question that says nothing: nodes read what started them by references. */
const NOTHING = ' '

/** What a person gave goes first, then what the request brought, then what the trigger is set to. */
export function inputOf(settings: TriggerSettings, payload: Payload | null): TriggeredRun['input'] {
  const { question, form, webhook } = payload ?? {}
  const given = { ...(webhook && { webhook }), ...(form && { form }), ...(question !== undefined && { question }) }
  if (question !== undefined || form) return given
  return settings.kind === 'schedule'
    ? { ...given, ...scheduled(settings.input) }
    : { ...given, ...asked(settings.input, webhook) }
}

function scheduled(input: Extract<TriggerSettings, { kind: 'schedule' }>['input']): TriggeredRun['input'] {
  if (input.mode === 'form') return { form: input.form }
  return { question: input.mode === 'text' ? editorText(input.text) : NOTHING }
}

function asked(
  input: Extract<TriggerSettings, { kind: 'webhook' }>['input'],
  webhook: WebhookPayload | undefined,
): TriggeredRun['input'] {
  if (input.mode === 'payload') return {}
  if (input.mode === 'none') return { question: NOTHING }
  const text = editorText(input.text)
  const lookup: Lookup = ({ root, path }) => (root === '$webhook' ? readPath(webhook, path) : undefined)
  return { question: String(compileTemplate(text)?.(lookup) ?? text) || NOTHING }
}
