// @defends anonymous-records
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, code, directReply, start } from '../../../e2e/support/flows.ts'

let heddle: TestHeddle
let owner: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', anonymousMbPerDay: '1' })
})
afterAll(() => heddle.close())

const KB = 1024

async function openFlow(document: object): Promise<string> {
  owner = await heddle.signUp()
  const flow = { name: 'Open', type: 'AGENTFLOW', callers: 'everyone', flowData: JSON.stringify(document) }
  return (await call(owner, 'POST', '/chatflows', flow)).body.id
}

const ask = (id: string, question: string) =>
  heddle.newClient().fetch(`/api/v1/prediction/${id}`, { method: 'POST', json: { question } })

/** How many calls are answered before the first that is not. */
async function callsUntilRefused(id: string, question: string): Promise<number> {
  for (let calls = 0; calls < 50; calls++) if ((await ask(id, question)).status !== 200) return calls
  return Number.POSITIVE_INFINITY
}

it('anonymous callers leave at most so many bytes a day in a workspace, whatever they send', async () => {
  const id = await openFlow(chain(start(), directReply('{{question}}')))
  const calls = await callsUntilRefused(id, 'x'.repeat(90 * KB))
  expect(calls).toBeGreaterThan(0)
  expect(calls).toBeLessThan(4)
  const refused = await heddle
    .newClient()
    .fetch(`/api/v1/prediction/${id}`, { method: 'POST', json: { question: 'q' } })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60)
  expect(await refused.text()).toMatch(/1\.00 MB.*API key.*owner.*Share/)
})

it('what a flow makes of a short question counts too', async () => {
  const id = await openFlow(chain(start(), code(`return "x".repeat(${200 * KB})`), directReply('done')))
  expect(await callsUntilRefused(id, 'q')).toBeLessThan(8)
})

it('members, and callers with a key, go on, and so do callers of other workspaces', async () => {
  const id = await openFlow(chain(start(), directReply('{{question}}')))
  await callsUntilRefused(id, 'x'.repeat(90 * KB))
  expect((await call(owner, 'POST', `/internal-prediction/${id}`, { question: 'q' })).status).toBe(200)
  const { body } = await call(owner, 'POST', '/apikey', { keyName: 'k', permissions: ['agentflows:view'] })
  const headers = { authorization: `Bearer ${body.apiKey}` }
  const byKey = { method: 'POST', headers, json: { question: 'q' } }
  expect((await heddle.newClient().fetch(`/api/v1/prediction/${id}`, byKey)).status).toBe(200)
  expect((await ask(await openFlow(chain(start(), directReply('ok'))), 'q')).status).toBe(200)
})

it('whoever answers a shared run takes from the same budget', async () => {
  const id = await openFlow(chain(start(), directReply('{{question}}')))
  const { executionId } = (await (await ask(id, 'q')).json()) as { executionId: string }
  await call(owner, 'PUT', `/executions/${executionId}`, { isPublic: true })
  await callsUntilRefused(id, 'x'.repeat(90 * KB))
  const answered = await call(heddle.newClient(), 'POST', `/public-executions/${executionId}/answer`, {
    type: 'proceed',
  })
  expect(answered.status).toBe(429)
})
