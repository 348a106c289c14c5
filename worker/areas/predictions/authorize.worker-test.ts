// @defends limit-set-owner
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chatflows, rateLimits } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'

let heddle: TestHeddle
let owner: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle()
  owner = await heddle.signUp()
})
afterAll(() => heddle.close())

const save = (rateLimit: object) =>
  owner.fetch('/api/v1/chatflows', {
    method: 'POST',
    json: {
      name: 'Limited',
      type: 'AGENTFLOW',
      callers: 'everyone',
      flowData: JSON.stringify(chain(start(), directReply('ok'))),
      apiConfig: JSON.stringify({ rateLimit }),
    },
  })

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
