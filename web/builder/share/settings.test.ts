import { expect, it } from 'vitest'
import { limitProblem, readApiConfig, readChatbotConfig } from '#contract/chatflows/flow-settings.ts'
import { buildShareSettings, readShareValues, type ShareSettings, shareProblems } from './settings.ts'

const none: ShareSettings = {
  callers: 'keys',
  apikeyid: null,
  apiConfig: null,
  chatbotConfig: null,
  followUpPrompts: null,
  speechToText: null,
  textToSpeech: null,
}
const known = [{ node: 'Weaver', nodeId: 'llm_0', label: 'Model', name: 'llmModel', type: 'asyncOptions' }]

it('a flow without settings is shown with everything off, and saving it switches nothing on', () => {
  const values = readShareValues(none)
  expect(values).toMatchObject({ callers: 'keys', limit: { on: false }, overrides: { on: false }, fullTrace: false })
  const saved = buildShareSettings(values, none, known)
  expect(readApiConfig(saved.apiConfig)).toEqual({})
  expect(readChatbotConfig(saved.chatbotConfig)).toEqual({ allowedOrigins: [] })
  expect(saved.apikeyid).toBeNull()
})

it('what a person chooses is what the worker reads, and what the panel shows again', () => {
  const values = {
    ...readShareValues(none),
    callers: 'sites' as const,
    sites: 'https://a.example\n b.example, ',
    limit: { on: true, calls: '5', seconds: '10', message: 'Slow down' },
    size: { on: true, characters: '250000' },
    overrides: { on: true, inputs: { Weaver: ['llmModel'], Other: [] }, variables: ['city'] },
    fullTrace: true,
    callerTools: true,
  }
  const saved = buildShareSettings(values, none, known)
  expect(limitProblem(saved.apiConfig ?? '')).toBeUndefined()
  expect(readApiConfig(saved.apiConfig)).toEqual({
    rateLimit: { status: true, limitMax: 5, limitDuration: 10, limitMsg: 'Slow down' },
    callSize: { status: true, maxCharacters: 250_000 },
    overrideConfig: {
      status: true,
      nodes: { Weaver: [{ name: 'llmModel', enabled: true }] },
      variables: [{ name: 'city', enabled: true }],
    },
    fullTrace: { status: true },
    callerTools: { status: true },
  })
  expect(readShareValues(saved)).toEqual({
    ...values,
    sites: 'https://a.example\nb.example',
    overrides: { ...values.overrides, inputs: { Weaver: ['llmModel'] } },
  })
})

it('settings that the panel does not show are kept', () => {
  const stored = {
    ...none,
    chatbotConfig: JSON.stringify({ title: 'Bot', allowedOriginsError: 'Not here' }),
    apiConfig: JSON.stringify({ other: 1, rateLimit: { status: false, limitMsg: 'Slow down' } }),
  }
  const saved = buildShareSettings(readShareValues(stored), stored, known)
  expect(JSON.parse(saved.chatbotConfig ?? '')).toMatchObject({ title: 'Bot', allowedOriginsError: 'Not here' })
  expect(JSON.parse(saved.apiConfig ?? '')).toMatchObject({
    other: 1,
    rateLimit: { status: false, limitMsg: 'Slow down' },
  })
})

it('a key is bound only while keys are let in', () => {
  const bound = { ...readShareValues(none), apikeyid: 'k' }
  expect(buildShareSettings(bound, none, known).apikeyid).toBe('k')
  expect(buildShareSettings({ ...bound, callers: 'everyone' }, none, known).apikeyid).toBeNull()
})

it.each([
  ['', 'Enter at least one site.'],
  ['https://a.example, javascript:alert(1)', '“javascript:alert(1)” isn’t a site. Enter it like https://example.com.'],
  ['nonsense', '“nonsense” isn’t a site. Enter it like https://example.com.'],
  ['https://a.example localhost:3000', false],
])('the sites %j are answered with %j', (sites, message) => {
  expect(shareProblems({ ...readShareValues(none), callers: 'sites', sites }).sites).toBe(message)
})

it.each(['0', '', '-1', 'many'])('a limit of %j calls is refused', (calls) => {
  const limit = { ...readShareValues(none).limit, on: true, calls }
  expect(shareProblems({ ...readShareValues(none), limit }).calls).toBeTruthy()
  expect(shareProblems({ ...readShareValues(none), limit: { ...limit, on: false } }).calls).toBe(false)
})
