// @defends secrets-remain-recorded
import { describe, expect, test } from 'vitest'
import type { Egress } from '../../ports/types.ts'
import { runStep, type StepSetting } from '../testing/steps.ts'
import { http } from './http.ts'

interface Sent {
  url: string
  method: string
  headers: Record<string, string>
  body: string
}

/** Runs the node against an egress port that records the request and returns `response`. */
async function send(inputs: Record<string, unknown>, more: StepSetting & { response?: Response } = {}) {
  const sent: Sent[] = []
  const egress: Egress = {
    async fetch(input, init) {
      const request = new Request(input, init)
      const { url, method, headers } = request
      sent.push({ url, method, headers: Object.fromEntries(headers), body: await request.text() })
      return more.response ?? Response.json({ ok: true })
    },
  }
  const { result } = await runStep(http, { url: 'https://api.example/x', ...inputs }, { egress, ...more })
  return { sent: sent[0] as Sent, output: result.output.http as Record<string, unknown>, result }
}

test('a GET request has URL, query and headers, and no body', async () => {
  const { sent, output } = await send({
    queryParams: [
      { key: 'q', value: 'a&b' },
      { key: '', value: 'x' },
    ],
    headers: [{ key: 'X-One', value: '1' }],
    bodyType: 'json',
    body: '{"a":1}',
  })
  expect(sent).toMatchObject({ url: 'https://api.example/x?q=a%26b', method: 'GET', body: '' })
  expect(sent.headers).toMatchObject({ 'x-one': '1' })
  expect(sent.headers).not.toHaveProperty('idempotency-key')
  expect(output).toMatchObject({ data: { ok: true }, status: 200 })
})

describe('a request body', () => {
  const pairs = [{ key: 'a', value: '1 2' }]
  test.each([
    ['json', '{ "a": [1] }', 'application/json', '{"a":[1]}'],
    ['json', '{ "a\\_b": \\[1\\] }', 'application/json', '{"a_b":[1]}'],
    ['raw', 'plain', 'text/plain', 'plain'],
    ['xWwwFormUrlencoded', pairs, 'application/x-www-form-urlencoded', 'a=1+2'],
    ['formData', pairs, 'multipart/form-data', 'name="a"'],
    [undefined, 'ignored', undefined, ''],
  ])('%s %j', async (bodyType, body, type, text) => {
    const { sent } = await send({ method: 'POST', bodyType, body })
    expect(sent.headers['content-type'] ?? '').toContain(type ?? '')
    expect(sent.body).toContain(text)
  })

  test.each([
    ["{'a': 'it is'}", '{"a":"it is"}'],
    ['{a: 1, "b": [1, 2,],}', '{"a":1,"b":[1,2]}'],
    ['{"a": 1 /* one */}', '{"a":1}'],
    ["{'list': \\[1\\]}", '{"list":[1]}'],
  ])('%s is sent as %s', async (body, sent) => {
    expect((await send({ method: 'POST', bodyType: 'json', body })).sent.body).toBe(sent)
  })

  test('a body of invalid JSON fails before anything is sent', async () => {
    await expect(send({ method: 'POST', bodyType: 'json', body: '{"a": }' })).rejects.toThrow('Body is not valid JSON')
  })
})

test.each([201, 1_500, 100_000])('a JSON response nested %i levels deep is returned as text', async (depth) => {
  const text = '['.repeat(depth) + ']'.repeat(depth)
  const { output } = await send({}, { response: new Response(text) })
  expect(output.data).toBe(text)
})

test('a request with a side effect waits for the log and sends an idempotency key', async () => {
  const order: string[] = []
  const barrier = async () => void order.push('barrier')
  expect((await send({ method: 'POST' }, { barrier })).sent.headers['idempotency-key']).toBe('execution-1:node_0')
  const own = await send({ method: 'DELETE', headers: [{ key: 'Idempotency-Key', value: 'mine' }] }, { barrier })
  expect(own.sent.headers['idempotency-key']).toBe('mine')
  await send({ method: 'GET' }, { barrier })
  expect(order).toEqual(['barrier', 'barrier'])
})

test.each([
  [{ basicAuthUsername: 'ü', basicAuthPassword: 'p' }, 'authorization', 'Basic w7w6cA=='],
  [{ token: 't' }, 'authorization', 'Bearer t'],
  [{ key: 'X-Key', value: 'v' }, 'x-key', 'v'],
])('the credential %j is sent as a header', async (credential, header, value) => {
  const { sent, result } = await send({}, { credential })
  expect(sent.headers[header]).toBe(value)
  expect(JSON.stringify(result.input)).not.toContain(value)
})

describe('a response', () => {
  test.each([
    ['json', '{"a":1}', { a: 1 }],
    ['json', 'not json', 'not json'],
    [undefined, '[1]', [1]],
    ['text', '{"a":1}', '{"a":1}'],
    ['base64', 'hi', 'aGk='],
    ['arraybuffer', 'hi', 'aGk='],
  ])('is read as %s: %s', async (responseType, body, data) => {
    expect((await send({ responseType }, { response: new Response(body) })).output.data).toEqual(data)
  })

  test('does not fail the step, whatever its status', async () => {
    const response = new Response('gone', { status: 410, statusText: 'Gone', headers: { 'x-a': 'b' } })
    expect((await send({}, { response })).output).toMatchObject({
      data: 'gone',
      status: 410,
      statusText: 'Gone',
      headers: { 'x-a': 'b' },
    })
  })
})

test.each([
  [{ url: '' }, 'URL is not valid'],
  [{ url: 'example.com' }, 'URL is not valid'],
  [{ headers: [{ key: 'a b', value: 'x' }] }, 'Headers: "a b"'],
  [{ headers: [{ key: 'a', value: 'x\r\ny: z' }] }, 'Headers: "a"'],
])('%j is refused', async (inputs, message) => {
  await expect(send(inputs)).rejects.toThrow(message)
})

test('the trace redacts fields whose names suggest secrets', async () => {
  const headers = { 'set-cookie': 'session=1', 'x-api-key': 'k', 'x-plain': 'p' }
  const { sent, result, output } = await send(
    {
      method: 'POST',
      url: 'https://api.example/x?access_token=t&q=1',
      queryParams: [{ key: 'api_key', value: 'k' }],
      bodyType: 'xWwwFormUrlencoded',
      body: [
        { key: 'password', value: 'p' },
        { key: 'name', value: 'Ann' },
      ],
    },
    { response: Response.json({}, { headers }) },
  )
  expect(sent.url).toBe('https://api.example/x?access_token=t&q=1&api_key=k')
  expect(result.input).toEqual({
    http: {
      method: 'POST',
      url: 'https://api.example/x?access_token=[redacted]&q=1&api_key=[redacted]',
      params: [['api_key', '[redacted]']],
      body: [
        { key: 'password', value: '[redacted]' },
        { key: 'name', value: 'Ann' },
      ],
    },
  })
  const redacted = { 'set-cookie': '[redacted]', 'x-api-key': '[redacted]', 'x-plain': 'p' }
  expect(result.shown).toMatchObject({ http: { headers: redacted } })
  expect(output).toMatchObject({ headers })
})
