import { expect, it } from 'vitest'
import { allowedOverrides } from './overrides.ts'

const start = { inputType: 'chatInput', persistState: false, stateKeys: ['mood'], label: 'Start' }
const asked = { vars: { city: 'Ghent', secret: 'x' }, startState: { mood: 'calm', other: 1 } }
const permit = (name: string, enabled = true) => ({ name, enabled })
const rules = (overrideConfig: object | null) => JSON.stringify({ overrideConfig })

const nothing = { vars: {}, startState: {} }

it.each([
  ['no config', null, nothing],
  ['an empty config', '', nothing],
  ['the JSON text null', 'null', nothing],
  ['switched off', rules({ status: false, variables: [permit('city')] }), nothing],
  ['a status that is not true', rules({ status: 'true', variables: [permit('city')] }), nothing],
  ['nothing listed', rules({ status: true }), nothing],
  ['a variable listed but not enabled', rules({ status: true, variables: [permit('city', false)] }), nothing],
  ['one variable', rules({ status: true, variables: [permit('city')] }), { vars: { city: 'Ghent' }, startState: {} }],
  [
    'the state, declared keys only',
    rules({ status: true, nodes: { Start: [permit('startState')] } }),
    { vars: {}, startState: { mood: 'calm' } },
  ],
  ['the state of another node', rules({ status: true, nodes: { Other: [permit('startState')] } }), nothing],
  ['a prototype name', rules({ status: true, nodes: { constructor: [permit('startState')] } }), nothing],
])('%s', (_case, apiConfig, expected) => {
  expect(allowedOverrides(asked, apiConfig, start)).toEqual(expected)
})

it('takes the state as a list too', () => {
  const apiConfig = rules({ status: true, nodes: { Start: [permit('startState')] } })
  const list = { startState: [{ key: 'mood', value: 'wild' }] }
  expect(allowedOverrides(list, apiConfig, start).startState).toEqual({ mood: 'wild' })
  expect(allowedOverrides(undefined, apiConfig, start)).toEqual(nothing)
})
