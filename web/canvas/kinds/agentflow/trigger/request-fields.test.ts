import { describe, expect, it } from 'vitest'
import { parseTemplate } from '#contract/flow/references/references.ts'
import type { DeliveryDetail } from '#contract/triggers/index.ts'
import { expecting, fieldsOf, isExpected, requestOf } from './request-fields.ts'

const webhook = {
  body: {
    action: 'opened',
    issue: { number: 7, labels: ['bug'], user: { login: 'ada' }, draft: false, extra: {} },
    assignees: [{ login: 'bea' }],
    note: null,
    'odd key': 'x',
  },
  query: { page: '2' },
  headers: { host: 'example.com', 'content-type': 'application/json', 'x-tenant': 'north', 'x-secret': '[redacted]' },
}

describe('fields of a request', () => {
  const fields = fieldsOf(webhook)

  it('names them with their types, without what every request has', () => {
    expect(fields.map(({ part, name, type }) => `${part} ${name} ${type}`)).toEqual([
      'body action string',
      'body issue.number number',
      'body issue.labels array[string]',
      'body issue.user.login string',
      'body issue.draft boolean',
      'body issue.extra object',
      'body assignees array[object]',
      'body note string',
      'body odd key string',
      'query page string',
      'headers x-tenant string',
    ])
  })

  it('refers to each by a path that a text understands', () => {
    for (const { reference } of fields) {
      expect(parseTemplate(`{{ ${reference} }}`)).toMatchObject([{ kind: 'reference', root: '$webhook' }])
    }
    const odd = fields.find(({ name }) => name === 'odd key')
    expect(odd).toMatchObject({ reference: '$webhook.body["odd key"]', canBeExpected: false })
  })

  it('finds nothing in a body that is no object', () => {
    expect(fieldsOf({ body: 'text', query: {}, headers: {} })).toEqual([])
    expect(fieldsOf({ body: [1], query: {}, headers: {} })).toEqual([])
  })
})

it('expects a field from then on, after those that it expects already', () => {
  const [action, number] = fieldsOf(webhook)
  const inputs = { webhookBodyParams: [{ name: 'action', type: 'string', required: true }] }
  expect(action && isExpected(inputs, action)).toBe(true)
  expect(number && isExpected(inputs, number)).toBe(false)
  expect(number && expecting(inputs, number)).toEqual({
    webhookBodyParams: [
      { name: 'action', type: 'string', required: true },
      { name: 'issue.number', type: 'number', required: false },
    ],
    webhookEnableValidation: true,
  })
  const tenant = fieldsOf(webhook).at(-1)
  expect(tenant && expecting({}, tenant)).toEqual({
    webhookHeaderParams: [{ name: 'x-tenant', required: false }],
    webhookEnableValidation: true,
  })
})

describe('what was kept of a request', () => {
  const detail = (part: object) => ({ payload: null, request: null, ...part }) as unknown as DeliveryDetail
  const request = { method: 'POST', headers: {}, query: { a: '1' }, body: '', isCut: false }

  it.each([
    ['what the flow got', { payload: { webhook } }, webhook],
    ['JSON', { request: { ...request, body: '{"x":1}' } }, { body: { x: 1 }, headers: {}, query: { a: '1' } }],
    ['no body', { request }, { body: {}, headers: {}, query: { a: '1' } }],
    ['JSON that is cut', { request: { ...request, body: '{"x":' } }, { body: {}, headers: {}, query: { a: '1' } }],
    [
      'a form',
      { request: { ...request, body: 'x=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } } },
      { body: { x: '1' }, headers: { 'content-type': 'application/x-www-form-urlencoded' }, query: { a: '1' } },
    ],
    ['nothing', {}, null],
  ])('reads a request with %s', (_, part, found) => expect(requestOf(detail(part))).toEqual(found))
})
