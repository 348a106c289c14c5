import { describe, expect, it } from 'vitest'
import type { Trigger } from '#contract/triggers/index.ts'
import { operationsSchema, type TriggerSettings, triggerSettingsSchema } from '#contract/triggers/settings.ts'
import { buildCron } from '../../../inputs/schedule/timing.ts'
import { newDraft, readDraft, toDraft } from './draft.ts'

const FLOW = 'a2d9f6de-0f4e-4f5e-9d3a-6f1f8a3b2c1d'

function trigger(settings: object): Trigger {
  const read = triggerSettingsSchema.parse(settings)
  return {
    id: 't',
    flowId: FLOW,
    flow: { id: FLOW, name: 'Flow', type: 'AGENTFLOW' },
    nodeId: null,
    name: 'Nightly',
    kind: read.kind,
    settings: read,
    operations: operationsSchema.parse({ perMinute: 5, alertEmail: 'ada@example.com' }),
    state: 'active',
    stateReason: null,
    nextDue: null,
    failuresInRow: 0,
    path: null,
    hasSecret: false,
    previousSecretUntil: null,
    createdDate: '2026-01-01T00:00:00.000Z',
    updatedDate: '2026-01-01T00:00:00.000Z',
  }
}

const schedule = { kind: 'schedule', cron: '0 9 * * *', input: { mode: 'none' } }
const webhook = { kind: 'webhook', input: { mode: 'payload' } }

describe('the trigger form', () => {
  it.each<[string, object]>([
    ['a picked schedule', { ...schedule, cron: '30 6 * * 1,5', timezone: 'Europe/Berlin' }],
    ['a schedule on the last day of the month', { ...schedule, cron: '0 0 15,L * *' }],
    ['an hourly schedule', { ...schedule, cron: '5 * * * *', overlap: 'queue', missed: 'runOnce', jitterSeconds: 30 }],
    ['a cron expression', { ...schedule, cron: '*/10 8-17 * * MON-FRI', input: { mode: 'text', text: 'Go' } }],
    [
      'an end date in the middle of a day',
      { ...schedule, timezone: 'Asia/Tokyo', endDate: '2027-01-01T03:00:00.000Z' },
    ],
    ['a schedule with form input', { ...schedule, input: { mode: 'form', form: { city: 'Bern', days: 2 } } }],
    ['a public webhook', webhook],
    [
      'a webhook with every setting',
      {
        ...webhook,
        method: 'PUT',
        contentType: 'application/x-www-form-urlencoded',
        signature: 'stripe',
        toleranceSeconds: 60,
        maxBytes: 2048,
        input: { mode: 'text', text: '{{ $webhook.body.x }}' },
        validation: {
          query: [{ name: 'q', required: true }],
          headers: [],
          body: [{ name: 'x', required: false, type: 'array[number]' }],
        },
        response: 'async',
        callbackUrl: 'https://example.com/done',
      },
    ],
  ])('keeps %s unchanged when it is opened and saved', (_, settings) => {
    const before = trigger(settings)
    const read = readDraft(toDraft(before, 'UTC'), before)
    expect(read).toEqual({
      ok: true,
      value: {
        flowId: FLOW,
        name: 'Nightly',
        settings: before.settings satisfies TriggerSettings,
        operations: before.operations,
      },
    })
  })

  it('sets the end date to the end of the chosen day', () => {
    const draft = toDraft(trigger({ ...schedule, timezone: 'Europe/Berlin' }), 'UTC')
    const read = readDraft({ ...draft, schedule: { ...draft.schedule, endDate: '2027-06-30' } })
    expect(read).toMatchObject({ ok: true, value: { settings: { endDate: '2027-06-30T21:59:00.000Z' } } })
  })

  it('creates webhooks with a signature by default', () => {
    expect(newDraft('webhook', 'UTC').webhook.signature).toBe('heddle')
  })

  it('reports errors under the names of their fields', () => {
    const draft = newDraft('schedule', 'UTC')
    const read = readDraft({
      ...draft,
      schedule: { ...draft.schedule, by: 'cron', cron: '61 * * * *', mode: 'text', jitterSeconds: '' },
      operations: { ...draft.operations, retries: 'many', alertEmail: 'nobody' },
    })
    expect(read).toMatchObject({ ok: false })
    expect(Object.keys('errors' in read ? read.errors : {}).sort()).toEqual([
      'flowId',
      'name',
      'operations.alertEmail',
      'operations.retries',
      'settings.cron',
      'settings.input.text',
      'settings.jitterSeconds',
    ])
  })

  it.each([
    [{ frequency: 'weekly', weekdays: [] }, 'Days of the week'],
    [{ frequency: 'monthly', days: [] }, 'Days of the month'],
    [{ frequency: 'hourly', minute: '' }, 'Minute'],
    [{ frequency: 'daily', time: '' }, 'Time'],
  ] as const)('names the missing picker field for %j', (change, field) => {
    const found = buildCron({ ...newDraft('schedule', 'UTC').schedule, ...change } as never)
    expect('problem' in found && found.problem).toContain(field)
  })

  it('rejects form input that is not an object', () => {
    const draft = { ...newDraft('schedule', 'UTC'), flowId: FLOW, name: 'x' }
    const read = readDraft({ ...draft, schedule: { ...draft.schedule, mode: 'form', form: '[1]' } })
    expect('errors' in read && Object.keys(read.errors)).toEqual(['settings.input.form'])
  })
})
