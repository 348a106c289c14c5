// @defends limit-set-owner
// @defends anonymous-records
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatflows, rateLimits } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'

let heddle: TestHeddle
let owner: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ publicCallsPerMinute: '40', clientAddressHeader: 'CF-Connecting-IP' })
  owner = await heddle.signUp()
})
afterAll(() => heddle.close())

const flow = {
  ...{ name: 'Limited', type: 'AGENTFLOW', callers: 'everyone' },
  flowData: JSON.stringify(chain(start(), directReply('ok'))),
}

const save = (rateLimit: object) =>
  owner.fetch('/api/v1/chatflows', { method: 'POST', json: { ...flow, apiConfig: JSON.stringify({ rateLimit }) } })

it('applies a rate limit whose numbers are strings, as forms send them', async () => {
  const response = await save({ status: true, limitMax: '1', limitDuration: '60', limitMsg: 'Slow down' })
  const { id } = (await response.json()) as { id: string }
  const ask = () =>
    heddle.fetch(`/api/v1/prediction/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"question":"q"}',
    })
  await heddle.database.delete(rateLimits)
  expect((await ask()).status).toBe(200)
  const refused = await ask()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  const [window] = await heddle.database.select().from(rateLimits)
  expect(window?.windowEnd).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 60)
})

it('refuses to save a rate limit that could never apply', async () => {
  const before = await heddle.database.$count(chatflows)
  const refused = await save({ status: true, limitMax: 'many', limitDuration: '60' })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    field: 'apiConfig.rateLimit.limitMax',
    message: 'apiConfig.rateLimit.limitMax: This must be a number above 0',
  })
  expect(await heddle.database.$count(chatflows)).toBe(before)
})

describe('a caller without a key', () => {
  const open = async (apiConfig: object = {}): Promise<string> => {
    const { body } = await call(owner, 'POST', '/chatflows', { ...flow, apiConfig: JSON.stringify(apiConfig) })
    return body.id
  }
  const ask = (id: string, json: object, address: string) =>
    heddle.newClient().fetch(`/api/v1/prediction/${id}`, {
      method: 'POST',
      json,
      headers: { 'cf-connecting-ip': address },
    })

  const long = 'x'.repeat(100_001)
  it.each<[string, object]>([
    ['question', { question: long }],
    ['form', { form: { story: long } }],
    ['history', { question: 'q', history: [{ role: 'userMessage', content: long }] }],
    ['overrideConfig', { question: 'q', overrideConfig: { vars: { story: long } } }],
    ['humanInput', { chatId: chatIdOf('c'), humanInput: { type: 'proceed', feedback: long } }],
  ])('may not send more than 100,000 characters in %s', async (field, json) => {
    const response = await ask(await open(), json, '203.0.113.1')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      field,
      message: expect.stringMatching(/at most 100000 characters.*owner/),
    })
  })

  it('may send as many characters as the owner allows', async () => {
    const id = await open({ callSize: { status: true, maxCharacters: 200_000 } })
    expect((await ask(id, { question: long }, '203.0.113.2')).status).toBe(200)
    expect((await ask(id, { question: long.repeat(2) }, '203.0.113.2')).status).toBe(400)
  })

  it('may call a flow without a limit half as often as public routes, and one with a limit as often as that says', async () => {
    const [plain, limited] = [
      await open(),
      await open({ rateLimit: { status: true, limitMax: 25, limitDuration: 60 } }),
    ]
    const statuses = async (id: string, calls: number, address: string) => {
      const answered: number[] = []
      for (let i = 0; i < calls; i++) answered.push((await ask(id, { question: 'q' }, address)).status)
      return answered
    }
    expect((await statuses(plain, 21, '203.0.113.3')).indexOf(429)).toBe(20)
    expect((await statuses(limited, 26, '203.0.113.4')).indexOf(429)).toBe(25)
    const refused = await ask(plain, { question: 'q' }, '203.0.113.3')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call(owner, 'GET', '/settings')).body).toMatchObject({ anonymousCallsPerMinute: 20 })
  })

  it('is who these limits are for: members and keys send what they did', async () => {
    const id = await open()
    expect((await call(owner, 'POST', `/internal-prediction/${id}`, { question: long })).status).toBe(200)
    const { body } = await call(owner, 'POST', '/apikey', { keyName: 'k', permissions: ['agentflows:view'] })
    const byKey = await heddle.newClient().fetch(`/api/v1/prediction/${id}`, {
      method: 'POST',
      json: { question: long },
      headers: { authorization: `Bearer ${body.apiKey}` },
    })
    expect(byKey.status).toBe(200)
  })
})
