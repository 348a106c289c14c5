import { expect, it } from 'vitest'
import { withoutCredentialIds } from './credential-ids.ts'

const ID = 'FLOWISE_CREDENTIAL_ID'

it.each([
  ['a value without one', { model: 'gpt', list: [1, null] }, { model: 'gpt', list: [1, null] }],
  ['one in a config', { config: { [ID]: 'secret', model: 'gpt' } }, { config: { model: 'gpt' } }],
  ['one in a list of configs', [{ a: { [ID]: 'secret' } }, { b: 1 }], [{ a: {} }, { b: 1 }]],
  ['its name as a text', { text: `What is ${ID}?` }, { text: `What is ${ID}?` }],
])('writes JSON without credential ids: %s', (_case, value, expected) => {
  expect(withoutCredentialIds(value)).toBe(JSON.stringify(expected))
})
