import { expect, it } from 'vitest'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { providerGroups, purposeOf } from './provider-groups.ts'

const type = (name: string, more: Partial<CredentialDefinition> = {}): CredentialDefinition => ({
  label: name,
  name,
  version: 1,
  inputs: [],
  ...more,
})
const types = [
  type('OpenAI API', { category: 'Chat Models', usedBy: ['OpenAI', 'OpenAI compatible'] }),
  type('Gmail OAuth2', { category: 'Tools', oauth: true, usedBy: ['Gmail'] }),
  type('Tavily API', { category: 'Tools', usedBy: ['Tavily'] }),
  type('HTTP Basic Auth', { category: 'Agent Flows', usedBy: ['HTTP'] }),
]
const found = (search: string) =>
  providerGroups(types, search).map(({ title, definitions }) => [title, ...definitions.map(({ label }) => label)])

it('groups types by what they are for', () => {
  expect(found('')).toEqual([
    ['Models', 'OpenAI API'],
    ['Accounts', 'Gmail OAuth2'],
    ['Tools', 'Tavily API'],
    ['HTTP requests', 'HTTP Basic Auth'],
  ])
})

it.each([
  ['  openai ', [['Models', 'OpenAI API']]],
  ['auth basic', [['HTTP requests', 'HTTP Basic Auth']]],
  ['compatible', [['Models', 'OpenAI API']]],
  ['nothing like it', []],
])('finds types by every word of %j', (search, groups) => {
  expect(found(search)).toEqual(groups)
})

it.each([
  [[], ''],
  [['Gmail'], 'For Gmail'],
  [['Gmail', 'HTTP'], 'For Gmail and HTTP'],
  [['A', 'B', 'C', 'D'], 'For A, B, C, and D'],
  [['A', 'B', 'C', 'D', 'E'], 'For A, B, C, and 2 more'],
])('names what uses a type: %j', (usedBy, text) => {
  expect(purposeOf(type('x', { usedBy }))).toBe(text)
})
