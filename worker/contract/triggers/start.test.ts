import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { START } from '../flow/kinds/agentflow/nodes.ts'
import { SIGNATURES, scheduleSettingsSchema, type TriggerSettings, webhookSettingsSchema } from './settings.ts'
import { readStartTrigger, startInputsOf } from './start.ts'

type Inputs = Record<string, unknown>

function documentOf(inputs: Inputs, label = 'Start') {
  const data = { id: 'start_0', name: START, label, inputs }
  return { nodes: [{ id: 'start_0', type: 'agentFlow', position: { x: 0, y: 0 }, data }] }
}

const settingsIn = (inputs: Inputs) => {
  const start = readStartTrigger(documentOf(inputs))
  if (!start || 'problem' in start) throw new Error(start ? start.problem : 'no trigger')
  return start.settings
}

const SCHEDULE = { startInputType: 'scheduleInput', scheduleInputMode: 'none' }
const DAILY = { ...SCHEDULE, scheduleType: 'visualPicker', scheduleFrequency: 'daily', scheduleOnTime: '09:00' }
const WEBHOOK = { startInputType: 'webhookTrigger' }

const instant = fc
  .date({ min: new Date('2030-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const text = fc
  .string({ minLength: 1, maxLength: 40 })
  .filter((each) => each.trim() !== '' && each.trim() !== '<p></p>')
const name = fc.stringMatching(/^[a-zA-Z][\w-]{0,10}$/)
const expected = fc.array(fc.record({ name, required: fc.boolean() }), { maxLength: 3 })

const schedules = fc
  .record({
    cron: fc.constantFrom(
      '* * * * *',
      '5 * * * *',
      '0 9 * * *',
      '30 7 * * 1,7',
      '0 0 1,L * *',
      '0 9 * * MON-FRI',
      '0 0 29 2 *',
    ),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
    endDate: fc.option(instant),
    overlap: fc.constantFrom('skip', 'queue', 'together'),
    missed: fc.constantFrom('skip', 'runOnce'),
    jitterSeconds: fc.integer({ min: 0, max: 3600 }),
    input: fc.oneof(
      fc.constant({ mode: 'none' }),
      fc.record({ mode: fc.constant('text'), text }),
      fc.record({
        mode: fc.constant('form'),
        form: fc.dictionary(name, fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minKeys: 1, maxKeys: 3 }),
      }),
    ),
  })
  .map((fields) => scheduleSettingsSchema.parse({ kind: 'schedule', ...fields }))

const webhooks = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    contentType: fc.constantFrom('application/json', 'application/x-www-form-urlencoded'),
    signature: fc.constantFrom(...SIGNATURES),
    signatureHeader: name,
    toleranceSeconds: fc.integer({ min: 1, max: 86_400 }),
    maxBytes: fc.integer({ min: 1, max: 4_194_304 }),
    input: fc.oneof(
      fc.constant({ mode: 'none' }),
      fc.constant({ mode: 'payload' }),
      fc.record({ mode: fc.constant('text'), text: fc.string({ maxLength: 40 }) }),
    ),
    validation: fc.option(
      fc.record({
        query: expected,
        headers: expected,
        body: fc.array(
          fc.record({ name, required: fc.boolean(), type: fc.constantFrom('string', 'number', 'array[object]') }),
          { maxLength: 3 },
        ),
      }),
    ),
    response: fc.constantFrom('sync', 'async', 'stream'),
    callbackUrl: fc.option(fc.constantFrom('https://example.com/done', 'http://localhost:8080/')),
  })
  .map((fields) => webhookSettingsSchema.parse({ kind: 'webhook', ...fields }))

const someSettings: fc.Arbitrary<TriggerSettings> = fc.oneof(schedules, webhooks)

describe('settings converted to inputs and back', () => {
  it('are unchanged on a new node', () => {
    fc.assert(
      fc.property(someSettings, (settings) => {
        expect(settingsIn(startInputsOf(settings))).toEqual(settings)
      }),
    )
  })

  it('are unchanged on a node with other inputs, which stay', () => {
    const keeps = { startState: [{ key: 'a', value: '1' }], startEphemeralMemory: true }
    fc.assert(
      fc.property(someSettings, someSettings, (before, after) => {
        const inputs = startInputsOf(after, { ...startInputsOf(before), ...keeps })
        expect(settingsIn(inputs)).toEqual(after)
        expect(inputs).toMatchObject(keeps)
      }),
    )
  })

  it('are unchanged through JSON', () => {
    fc.assert(
      fc.property(someSettings, (settings) => {
        expect(settingsIn(JSON.parse(JSON.stringify(startInputsOf(settings))))).toEqual(settings)
      }),
    )
  })
})

describe('the form of an unchanged expression', () => {
  it('stays the picker', () => {
    const settings = settingsIn(DAILY)
    expect(startInputsOf({ ...settings, timezone: 'Asia/Kolkata' } as TriggerSettings, DAILY)).toMatchObject({
      scheduleType: 'visualPicker',
      scheduleOnTime: '09:00',
      scheduleTimezone: 'Asia/Kolkata',
    })
  })

  it('stays a cron expression', () => {
    const inputs = { ...SCHEDULE, scheduleType: 'cronExpression', scheduleCronExpression: '0 9 * * *' }
    expect(startInputsOf(settingsIn(inputs), inputs)).toMatchObject({ scheduleType: 'cronExpression' })
  })

  it('becomes the picker for a new expression that the picker can show', () => {
    const settings = { ...settingsIn(DAILY), cron: '15 8 * * 1,3' } as TriggerSettings
    expect(startInputsOf(settings, DAILY)).toMatchObject({
      scheduleType: 'visualPicker',
      scheduleFrequency: 'weekly',
      scheduleOnTime: '08:15',
      scheduleOnDayOfWeek: '1,3',
    })
    expect(startInputsOf({ ...settings, cron: '*/5 * * * *' } as TriggerSettings, DAILY)).toMatchObject({
      scheduleType: 'cronExpression',
      scheduleCronExpression: '*/5 * * * *',
    })
  })
})

test.each([
  ['the picker', DAILY, '0 9 * * *'],
  ['days as a list', { ...DAILY, scheduleFrequency: 'weekly', scheduleOnDayOfWeek: ['1', '5'] }, '0 9 * * 1,5'],
  ['days as JSON text', { ...DAILY, scheduleFrequency: 'monthly', scheduleOnDayOfMonth: '["1","L"]' }, '0 9 1,L * *'],
  [
    'an expression',
    { ...SCHEDULE, scheduleType: 'cronExpression', scheduleCronExpression: ' 5 4 * * * ' },
    '5 4 * * *',
  ],
  ['an expression without a type', { ...SCHEDULE, scheduleCronExpression: '5 4 * * *' }, '5 4 * * *'],
  ['a frequency without a type', { ...DAILY, scheduleType: undefined }, '0 9 * * *'],
])('reads the schedule of a node with %s', (_, inputs, cron) => {
  expect(settingsIn(inputs)).toMatchObject({ cron, timezone: 'UTC', overlap: 'skip', missed: 'skip' })
})

test('reads an end date without a time as the end of that day in the time zone', () => {
  const inputs = { ...DAILY, scheduleTimezone: 'Europe/Berlin', scheduleEndDate: '2030-03-01' }
  expect(settingsIn(inputs)).toMatchObject({ endDate: '2030-03-01T22:59:00.000Z' })
})

test('reads a webhook without further inputs', () => {
  expect(settingsIn(WEBHOOK)).toEqual(
    webhookSettingsSchema.parse({ kind: 'webhook', input: { mode: 'text', text: '' } }),
  )
  expect(settingsIn({ ...WEBHOOK, webhookEnableAuth: true })).toMatchObject({ signature: 'hmac-sha256' })
})

test('a schedule that says nothing of its time starts from the same as in the trigger form', () => {
  const none = { ...SCHEDULE, scheduleType: 'visualPicker', scheduleInputMode: 'none' }
  expect(settingsIn(none)).toMatchObject({ cron: '0 9 * * *' })
  expect(settingsIn({ ...none, scheduleFrequency: 'weekly' })).toMatchObject({ cron: '0 9 * * 1,2,3,4,5' })
  expect(settingsIn({ ...none, scheduleFrequency: 'monthly' })).toMatchObject({ cron: '0 9 1 * *' })
  expect(settingsIn({ ...none, scheduleFrequency: 'hourly' })).toMatchObject({ cron: '0 * * * *' })
})

test.each<[string, Inputs, string]>([
  ['no expression', { ...SCHEDULE, scheduleType: 'cronExpression' }, 'Cron expression is required'],
  ['an invalid expression', { ...SCHEDULE, scheduleCronExpression: '61 * * * *' }, 'Cron expression: The minute "61"'],
  ['no frequency', { ...SCHEDULE, scheduleType: 'visualPicker', scheduleFrequency: '' }, 'Frequency is required'],
  ['no time picked', { ...DAILY, scheduleOnTime: '' }, 'Time must be a time'],
  ['a zone that does not exist', { ...DAILY, scheduleTimezone: 'Mars' }, 'Time zone: "Mars" is not a time zone'],
  ['an invalid end date', { ...DAILY, scheduleEndDate: 'soon' }, 'End date: '],
  ['no text', { ...DAILY, scheduleInputMode: 'text', scheduleDefaultInput: '<p></p>' }, 'Message is required'],
  ['no form', { ...DAILY, scheduleInputMode: 'form' }, 'Form fields: Add at least one'],
  ['invalid JSON', { ...DAILY, scheduleInputMode: 'form', scheduleFormDefaults: '{' }, 'Form values must be'],
  ['an unknown mode', { ...DAILY, scheduleInputMode: 'telepathy' }, 'Input: '],
  ['too much jitter', { ...DAILY, scheduleJitter: 9999 }, 'Random delay (up to, seconds): '],
  ['an unknown method', { ...WEBHOOK, webhookMethod: 'HEAD' }, 'Method: '],
  ['an invalid callback URL', { ...WEBHOOK, callbackUrl: 'ftp://x' }, 'Callback URL: '],
  ['too large a body limit', { ...WEBHOOK, webhookMaxBytes: 1e9 }, 'Maximum body size: '],
  [
    'an unknown parameter type',
    { ...WEBHOOK, webhookEnableValidation: true, webhookBodyParams: [{ name: 'a', type: 'date' }] },
    'Expected body fields: ',
  ],
])('reports a problem for a node with %s', (_, inputs, problem) => {
  expect(readStartTrigger(documentOf(inputs))).toMatchObject({
    nodeId: 'start_0',
    problem: expect.stringContaining(problem),
    param: expect.stringMatching(/^(schedule|webhook|callback)/),
  })
})

test('finds no trigger in flows that a person starts', () => {
  expect(readStartTrigger({ nodes: [] })).toBeNull()
  expect(readStartTrigger(documentOf({ startInputType: 'chatInput' }))).toBeNull()
  expect(readStartTrigger(documentOf({}))).toBeNull()
})

test('uses the label of the node as the name', () => {
  expect(readStartTrigger(documentOf(DAILY))?.name).toBe('Schedule')
  expect(readStartTrigger(documentOf(WEBHOOK))?.name).toBe('Webhook')
  expect(readStartTrigger(documentOf(DAILY, 'Morning report'))?.name).toBe('Morning report')
})
