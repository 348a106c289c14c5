/** The HTTP node's parameters. */
import type { InputParam } from '#contract/flow/params/definition.ts'

export const httpParams: InputParam[] = [
  {
    label: 'Method',
    name: 'method',
    type: 'options',
    options: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].map((name) => ({ label: name, name })),
    default: 'GET',
  },
  { label: 'URL', name: 'url', type: 'string', placeholder: 'https://example.com/items', acceptVariable: true },
  rows(
    'Headers',
    'headers',
    'Sent with the request. An Idempotency-Key is added to every method except GET unless you set one.',
  ),
  rows('Query params', 'queryParams', 'Encoded and added to the URL'),
  {
    label: 'Body type',
    name: 'bodyType',
    type: 'options',
    options: [
      { label: 'JSON', name: 'json' },
      { label: 'Raw', name: 'raw' },
      { label: 'Form data', name: 'formData' },
      { label: 'x-www-form-urlencoded', name: 'xWwwFormUrlencoded' },
    ],
    optional: true,
  },
  {
    label: 'Body',
    name: 'body',
    type: 'string',
    rows: 4,
    acceptVariable: true,
    optional: true,
    show: { bodyType: ['raw', 'json'] },
    holdsJson: { bodyType: 'json' },
  },
  { ...rows('Body', 'body'), show: { bodyType: ['xWwwFormUrlencoded', 'formData'] } },
  {
    label: 'Response type',
    name: 'responseType',
    type: 'options',
    options: [
      { label: 'JSON', name: 'json' },
      { label: 'Text', name: 'text' },
      { label: 'Array buffer', name: 'arraybuffer' },
      { label: 'Raw (Base64)', name: 'base64' },
    ],
    optional: true,
  },
]

function rows(label: string, name: string, description?: string): InputParam {
  return {
    label,
    name,
    type: 'array',
    optional: true,
    acceptVariable: true,
    ...(description && { description }),
    array: [
      { label: 'Key', name: 'key', type: 'string', default: '' },
      { label: 'Value', name: 'value', type: 'string', default: '', acceptVariable: true },
    ],
  }
}
