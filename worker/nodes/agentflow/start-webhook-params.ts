/** The Start node's parameters of a webhook. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import {
  CONTENT_TYPE_LABELS,
  FIELD_LABELS,
  RESPONSE_LABELS,
  SIGNATURE_LABELS,
  WEBHOOK_INPUT_LABELS,
} from '#contract/triggers/labels.ts'
import { WEBHOOK_METHODS } from '#contract/triggers/settings.ts'
import { optionsOf } from '../shared/params.ts'

const ON_WEBHOOK = { startInputType: 'webhookTrigger' }
const ON_VALIDATION = { ...ON_WEBHOOK, webhookEnableValidation: true }
const ON_SIGNATURE = { ...ON_WEBHOOK, webhookEnableAuth: true }
const ON_CALLBACK = { ...ON_WEBHOOK, webhookResponseMode: 'async' }

export function webhookParams(): InputParam[] {
  return [...requestParams(), ...signatureParams(), ...responseParams(), ...validationParams()]
}

function requestParams(): InputParam[] {
  return [
    {
      label: FIELD_LABELS.method,
      name: 'webhookMethod',
      type: 'options',
      hint: 'Find the webhook’s URL and secret under Triggers. The secret also signs callbacks.',
      options: WEBHOOK_METHODS.map((name) => ({ label: name, name })),
      default: 'POST',
      show: ON_WEBHOOK,
    },
    {
      label: FIELD_LABELS.contentType,
      name: 'webhookContentType',
      type: 'options',
      options: optionsOf(CONTENT_TYPE_LABELS),
      default: 'application/json',
      optional: true,
      show: ON_WEBHOOK,
    },
    {
      label: FIELD_LABELS.input,
      name: 'webhookInputMode',
      type: 'options',
      options: optionsOf(WEBHOOK_INPUT_LABELS),
      default: 'text',
      show: ON_WEBHOOK,
    },
    {
      label: FIELD_LABELS.text,
      name: 'webhookDefaultInput',
      type: 'string',
      rows: 3,
      optional: true,
      acceptVariable: true,
      show: { ...ON_WEBHOOK, webhookInputMode: 'text' },
    },
  ]
}

function signatureParams(): InputParam[] {
  return [
    flag('Verify request signature', 'webhookEnableAuth', ON_WEBHOOK),
    {
      label: FIELD_LABELS.signature,
      name: 'webhookSignatureType',
      type: 'options',
      options: optionsOf(SIGNATURE_LABELS).filter(({ name }) => name !== 'none'),
      default: 'hmac-sha256',
      optional: true,
      show: ON_SIGNATURE,
    },
    {
      label: FIELD_LABELS.signatureHeader,
      name: 'webhookSignatureHeader',
      type: 'string',
      placeholder: 'x-webhook-signature',
      optional: true,
      show: { ...ON_SIGNATURE, webhookSignatureType: ['hmac-sha256', 'plain-token'] },
    },
    {
      label: FIELD_LABELS.toleranceSeconds,
      name: 'webhookTolerance',
      type: 'number',
      placeholder: '300',
      description: 'How many seconds old a signed request can be',
      optional: true,
      show: { ...ON_SIGNATURE, webhookSignatureType: ['heddle', 'stripe', 'slack'] },
    },
  ]
}

function responseParams(): InputParam[] {
  return [
    {
      label: FIELD_LABELS.response,
      name: 'webhookResponseMode',
      type: 'options',
      options: optionsOf(RESPONSE_LABELS),
      default: 'sync',
      show: ON_WEBHOOK,
    },
    { label: FIELD_LABELS.callbackUrl, name: 'callbackUrl', type: 'string', optional: true, show: ON_CALLBACK },
    {
      label: FIELD_LABELS.maxBytes,
      name: 'webhookMaxBytes',
      type: 'number',
      placeholder: '1048576',
      description: 'In bytes. Larger requests are rejected.',
      optional: true,
      show: ON_WEBHOOK,
    },
  ]
}

function validationParams(): InputParam[] {
  return [
    flag('Validate request shape', 'webhookEnableValidation', ON_WEBHOOK),
    expected({ label: FIELD_LABELS.query, name: 'webhookQueryParams' }, 'Variable name'),
    bodyParams(),
    expected({ label: FIELD_LABELS.headers, name: 'webhookHeaderParams' }, 'Header name'),
  ]
}

function bodyParams(): InputParam {
  const hide = { webhookContentType: 'application/x-www-form-urlencoded' }
  return {
    label: FIELD_LABELS.body,
    name: 'webhookBodyParams',
    type: 'array',
    optional: true,
    show: ON_VALIDATION,
    array: [
      { label: 'Variable name', name: 'name', type: 'string' },
      {
        label: 'Type',
        name: 'type',
        type: 'options',
        options: [
          { label: 'String', name: 'string' },
          { label: 'Number', name: 'number' },
          { label: 'Boolean', name: 'boolean' },
          { label: 'Object', name: 'object', hide },
          { label: 'Array of strings', name: 'array[string]', hide },
          { label: 'Array of numbers', name: 'array[number]', hide },
          { label: 'Array of booleans', name: 'array[boolean]', hide },
          { label: 'Array of objects', name: 'array[object]', hide },
        ],
        default: 'string',
      },
      { label: 'Required', name: 'required', type: 'boolean' },
    ],
  }
}

function expected(names: { label: string; name: string }, nameLabel: string): InputParam {
  return {
    ...names,
    type: 'array',
    optional: true,
    show: ON_VALIDATION,
    array: [
      { label: nameLabel, name: 'name', type: 'string' },
      { label: 'Required', name: 'required', type: 'boolean' },
    ],
  }
}

function flag(label: string, name: string, show: Record<string, unknown>): InputParam {
  return { label, name, type: 'boolean', default: false, optional: true, show }
}
