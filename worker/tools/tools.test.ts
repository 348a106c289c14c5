import { describe, expect, it } from 'vitest'
import { noFlows } from '../nodes/testing/steps.ts'
import { createEgress } from '../ports/egress.ts'
import { fakeNetwork } from '../ports/testing/fake-network.ts'
import { evaluate } from './basic/arithmetic.ts'
import { tools } from './index.ts'
import { ownTools } from './testing/own-tools.ts'
import { openTool as openOn } from './testing/tools.ts'
import type { CallableTool, ToolContext } from './types.ts'

const network = fakeNetwork({
  'https://example.com/items': (request) => new Response(`${request.method} ok`),
  'https://example.com/items?limit=2': new Response('x'.repeat(5000)),
  'https://example.com/items/a%2Fb?q=%7B%22c%22%3A1%7D': new Response('found'),
  'https://example.com/users/7/posts': new Response('posts'),
  'https://example.com/missing': new Response('not here', { status: 404, statusText: 'Not Found' }),
})

interface OpenedTool extends Omit<CallableTool, 'call'> {
  call(args: Record<string, unknown>, key?: string): Promise<unknown>
}

async function openTool(name: string, config: Record<string, unknown> = {}): Promise<OpenedTool> {
  const context: ToolContext = {
    config,
    credential: {},
    egress: createEgress({ allowPrivateHosts: [], network: network.fetch }),
    clock: { now: () => new Date('2025-03-30T00:30:00Z'), sleep: async () => {} },
    sandbox: { run: () => Promise.reject(new Error('no sandbox in this test')) },
    flows: noFlows,
    own: ownTools(),
    signal: new AbortController().signal,
  }
  const type = tools.find(({ definition }) => definition.name === name)
  const [opened] = (await type?.open(context)) ?? []
  if (!opened) throw new Error(`no tool ${name}`)
  return { ...opened, call: (args, key = 'key-1') => opened.call(args, key) }
}

describe('arithmetic', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ^ 3 ^ 2', 512],
    ['2 ** 3', 8],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['10 % 4 / 2', 1],
    ['7 - 2 - 1', 4],
    ['- -3', 3],
    ['0.1 + 0.2', 0.3],
    ['1e3 + .5', 1000.5],
    ['sqrt(16) + max(1, 2, 3) + ABS(-1)', 8],
    ['round(pi) + floor(e)', 5],
    ['log(1000) + ln(e)', 4],
    ['94906265 ^ 2', 9007199136250225],
    ['2 ^ 53 - 1', 9007199254740991],
  ])('%s = %s', (expression, value) => {
    expect(evaluate(expression)).toBe(value)
  })

  it.each([
    ['', 'Expected a number but found the end'],
    ['1 +', 'Expected a number but found the end'],
    ['(1', 'Expected ")" but found the end'],
    ['1 2', 'Expected the end but found "2"'],
    ['1 / 0', 'The result is not a finite number. Check for a division by zero.'],
    ['process.exit()', '"." is not a valid character'],
    ['process', 'Expected a number but found "process"'],
    ['constructor(1)', 'Expected a number but found "constructor"'],
    ['alert`1`', '"`" is not a valid character'],
    ['2 + x', 'Expected a number but found "x"'],
    ['('.repeat(2000), 'The expression exceeds 1000 characters'],
  ])('%s is rejected', (expression, message) => {
    expect(() => evaluate(expression)).toThrow(message)
  })
})

describe('calculator', () => {
  it('returns text', async () => {
    const tool = await openTool('calculator')
    expect(await tool.call({ input: '6 * 7' })).toBe('42')
    expect(tool.hasEffect).toBe(false)
  })
})

describe('current date and time', () => {
  it.each([
    [{}, {}, { date: '2025-03-30', time: '00:30:00', day: 'Sunday', timezone: 'UTC', timezoneOffset: '+00:00' }],
    [
      { timezone: 'America/New_York' },
      {},
      { date: '2025-03-29', time: '20:30:00', day: 'Saturday', timezoneOffset: '-04:00' },
    ],
    [{ timezone: 'UTC' }, { timezone: 'Asia/Kolkata' }, { time: '06:00:00', timezoneOffset: '+05:30' }],
  ])('are written by the config %j and the arguments %j', async (config, args, expected) => {
    const tool = await openTool('currentDateTime', config)
    expect(await tool.call(args)).toMatchObject({
      ...expected,
      iso8601: '2025-03-30T00:30:00.000Z',
      unix_timestamp: 1743294600,
    })
  })

  it('names an unknown time zone', async () => {
    const tool = await openTool('currentDateTime')
    await expect(tool.call({ timezone: 'Mars/Base' })).rejects.toThrow('"Mars/Base" is not a time zone')
  })
})

describe('request tools', () => {
  it('read a fixed URL and truncate long responses', async () => {
    const tool = await openTool('requestsGet', {
      requestsGetUrl: 'https://example.com/items',
      requestsGetMaxOutputLength: '100',
    })
    expect(tool).toMatchObject({ name: 'requests_get', hasEffect: false })
    expect(tool.parameters).toMatchObject({ properties: { queryParams: { type: 'object' } }, required: [] })
    expect(await tool.call({})).toBe('GET ok')
    expect(await tool.call({ queryParams: { limit: 2 } })).toHaveLength(100)
  })

  it('let the model choose the URL when none is set', async () => {
    const tool = await openTool('requestsGet')
    expect(tool.parameters).toMatchObject({ required: ['url'] })
    expect(await tool.call({ url: 'https://example.com/items' })).toBe('GET ok')
  })

  it.each(['http://localhost:8788/api/v1/credentials', 'http://169.254.169.254/', 'file:///etc/passwd'])(
    'does not let the model reach %s',
    async (url) => {
      const tool = await openTool('requestsGet')
      await expect(tool.call({ url })).rejects.toThrow(/private address|not allowed/)
    },
  )

  it('fill the path and the query by the schema', async () => {
    const hints = {
      id: { type: 'string', required: true, in: 'path', description: 'Which' },
      q: { type: 'object', in: 'query' },
    }
    const config = { requestsGetUrl: 'https://example.com/items', requestsGetQueryParamsSchema: JSON.stringify(hints) }
    const tool = await openTool('requestsGet', config)
    expect(tool.parameters).toEqual({
      type: 'object',
      properties: {
        queryParams: {
          type: 'object',
          description: 'Parameters of the URL',
          properties: { id: { type: 'string', description: 'Which' }, q: { type: 'object' } },
          required: ['id'],
          additionalProperties: false,
        },
      },
      required: ['queryParams'],
      additionalProperties: false,
    })
    expect(await tool.call({ queryParams: { id: 'a/b', q: { c: 1 } } })).toBe('found')
    const named = await openTool('requestsGet', { ...config, requestsGetUrl: 'https://example.com/users/:id/posts' })
    expect(await named.call({ queryParams: { id: 7 } })).toBe('posts')
  })

  it.each(['..', '.', ''])('reject the path value "%s", which would change the path', async (id) => {
    const tool = await openTool('requestsGet', {
      requestsGetUrl: 'https://example.com/items/:id',
      requestsGetQueryParamsSchema: { id: { in: 'path' } },
    })
    await expect(tool.call({ queryParams: { id } })).rejects.toThrow('cannot be the value of id')
  })

  it('send a body, headers and an idempotency key with side effects', async () => {
    const tool = await openTool('requestsPost', {
      requestsPostUrl: 'https://example.com/items',
      requestsPostName: 'Make Item!',
      requestsPostHeaders: '{"Authorization": "Bearer t"}',
      requestsPostBodySchema: '{"name": {"type": "string", "required": true}}',
    })
    expect(tool).toMatchObject({ name: 'make_item', hasEffect: true })
    expect(tool.parameters).toMatchObject({ properties: { body: { required: ['name'] } }, required: ['body'] })
    expect(await tool.call({ body: { name: 'Jo' } }, 'run-1:agent_0-make_item-0')).toBe('POST ok')
    await tool.call({ body: { name: 'Jo' } }, 'run-1:agent_0-make_item-1')
    const [first, second] = network.seen.slice(-2)
    expect(first).toMatchObject({ method: 'POST', body: '{"name":"Jo"}' })
    expect(first?.headers).toMatchObject({ authorization: 'Bearer t', 'content-type': 'application/json' })
    expect(first?.headers['idempotency-key']).toBe('run-1:agent_0-make_item-0')
    expect(second?.headers['idempotency-key']).toBe('run-1:agent_0-make_item-1')
  })

  it.each([
    ['content-type', 'Content-Type', 'application/vnd.api+json'],
    ['idempotency-key', 'Idempotency-Key', 'mine'],
  ])('let a configured header replace %s, case-insensitively', async (sent, written, value) => {
    const tool = await openTool('requestsPost', {
      requestsPostUrl: 'https://example.com/items',
      requestsPostHeaders: { [written]: value },
    })
    await tool.call({ body: {} })
    expect(network.seen.at(-1)?.headers[sent]).toBe(value)
  })

  it('name an invalid URL, configured or chosen by the model', async () => {
    const set = await openTool('requestsGet', { requestsGetUrl: 'example.com/items' })
    await expect(set.call({})).rejects.toThrow(
      '"example.com/items" is not a valid URL. Use an address that starts with https://',
    )
    const chosen = await openTool('requestsGet')
    await expect(chosen.call({ url: 'nowhere' })).rejects.toThrow('"nowhere" is not a valid URL')
  })

  it.each(['', '0', '-5', 'many'])('truncate responses even if Max output length is "%s"', async (length) => {
    const long = fakeNetwork({ 'https://example.com/long': new Response('x'.repeat(300_000)) })
    const config = { requestsGetUrl: 'https://example.com/long', requestsGetMaxOutputLength: length }
    const tool = await openOn('requestsGet', long, { config })
    expect(String(await tool.call({})).length).toBe(100_000)
  })

  it('send a fixed body instead of the model’s', async () => {
    const tool = await openTool('requestsPut', {
      requestsPutUrl: 'https://example.com/items',
      requestsPutBody: '{"a": 1}',
    })
    expect(tool.parameters.properties).not.toHaveProperty('body')
    await tool.call({ body: { a: 2 } })
    expect(network.seen.at(-1)).toMatchObject({ method: 'PUT', body: '{"a":1}' })
  })

  it('report status and body of an error response', async () => {
    const tool = await openTool('requestsDelete', { requestsDeleteUrl: 'https://example.com/missing' })
    expect(tool.hasEffect).toBe(true)
    await expect(tool.call({})).rejects.toThrow('DELETE responded with 404 Not Found: not here')
  })

  it.each([
    ['requestsGetHeaders', 'Authorization: x', 'Headers must be a JSON object'],
    ['requestsGetHeaders', '[{"Authorization": "x"}]', 'Headers must be a JSON object'],
    ['requestsGetQueryParamsSchema', '["id"]', 'Query params schema must be a JSON object'],
  ])('name the invalid field %s', async (field, value, message) => {
    await expect(openTool('requestsGet', { [field]: value })).rejects.toThrow(message)
  })
})
