// @defends caller-overrides-flow
import { expect, it } from 'vitest'
import { readApiConfig } from '#contract/chatflows/flow-settings.ts'
import { allowedInputs, allowedOverrides } from './overrides.ts'

const start = { id: 'start_0', inputType: 'chatInput', persistState: false, stateKeys: ['mood'], label: 'Start' }
const asked = { vars: { city: 'Ghent', secret: 'x' }, startState: { mood: 'calm', other: 1 } }
const permit = (name: string, enabled = true) => ({ name, enabled })
const rulesOf = (apiConfig: string | null) => readApiConfig(apiConfig).overrideConfig
const rules = (overrideConfig: object | null) => rulesOf(JSON.stringify({ overrideConfig }))

const nothing = { vars: {}, startState: {} }

it.each([
  ['no config', rulesOf(null), nothing],
  ['an empty config', rulesOf(''), nothing],
  ['the JSON text null', rulesOf('null'), nothing],
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
])('allows %s', (_case, permitted, expected) => {
  expect(allowedOverrides(asked, permitted, start)).toEqual(expected)
})

it.each([
  ['a list', { start_0: [{ key: 'mood', value: 'wild' }] }, { mood: 'wild' }],
  ['an object', { start_0: { mood: 'wild', other: 1 } }, { mood: 'wild' }],
  [
    'the last of two',
    {
      start_0: [
        { key: 'mood', value: 1 },
        { key: 'mood', value: 2 },
      ],
    },
    { mood: 2 },
  ],
  ['what is no entry', { start_0: [null, 'mood', { key: 5, value: 1 }] }, {}],
  ['another node', { start_1: [{ key: 'mood', value: 'wild' }] }, {}],
])('accepts the state under the id of the Start node: %s', (_case, startState, expected) => {
  const permitted = rules({ status: true, nodes: { Start: [permit('startState')] } })
  expect(allowedOverrides({ startState }, permitted, start).startState).toEqual(expected)
})

it('accepts the state as a list', () => {
  const permitted = rules({ status: true, nodes: { Start: [permit('startState')] } })
  const list = { startState: [{ key: 'mood', value: 'wild' }] }
  expect(allowedOverrides(list, permitted, start).startState).toEqual({ mood: 'wild' })
  expect(allowedOverrides(undefined, permitted, start)).toEqual(nothing)
})

const node = (id: string, label: string, inputs: Record<string, unknown> = {}) => ({
  id,
  type: 'agentFlow',
  position: { x: 0, y: 0 },
  data: { id, name: 'replyAgentflow', label, inputs },
})
const nodes = [node('reply_0', 'First', { list: [1], message: 'old' }), node('reply_1', 'Second')]
const on = (status: unknown, more = {}) =>
  rules({ status, nodes: { First: [permit('message'), permit('list')], ...more } })
const both = on(true, { Second: [permit('message')] })

it.each([
  ['no config', { message: 'x' }, rulesOf(null), {}],
  ['switched off', { message: 'x' }, on(false), {}],
  ['an input that is not listed', { other: 'x', constructor: 'y' }, on(true), {}],
  [
    'one that is listed but not enabled',
    { message: 'x' },
    rules({ status: true, nodes: { First: [permit('message', false)] } }),
    {},
  ],
  ['where it is permitted', { message: 'x' }, on(true), { reply_0: { message: 'x' } }],
  ['in all nodes that permit it', { message: 'x' }, both, { reply_0: { message: 'x' }, reply_1: { message: 'x' } }],
  ['by the id of a node', { message: { reply_1: 'x' } }, both, { reply_1: { message: 'x' } }],
  ['never the session', { sessionId: 's' }, rules({ status: true, nodes: { First: [permit('sessionId')] } }), {}],
])('filters the inputs of nodes: %s', (_case, asked, permitted, expected) => {
  expect(allowedInputs(asked, permitted, nodes)).toEqual(expected)
})
