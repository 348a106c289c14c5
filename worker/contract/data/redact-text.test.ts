// @defends failing-requests-fill
import { expect, it } from 'vitest'
import { redactText } from './redact-text.ts'

it.each([
  ['The provider refused sk-proj-abcdefghijklmnop', 'The provider refused [redacted]'],
  ['Incorrect API key: abc123.', 'Incorrect API key: [redacted]'],
  ['{"password":"horse"}', '{"password":"[redacted]"}'],
  ['sent Authorization: Bearer abc.def', 'sent Authorization: Bearer [redacted]'],
  ['?token=abc&page=2', '?token=[redacted]&page=2'],
  [`got eyJ${'a'.repeat(20)}.b.c`, 'got [redacted]'],
])('hides the secret in %j', (text, hidden) => expect(redactText(text)).toBe(hidden))

it.each(['Variable city not found', 'name: Name is required', 'You need the permission apikeys:view.'])(
  'redaction leaves %j as it is',
  (text) => expect(redactText(text)).toBe(text),
)
