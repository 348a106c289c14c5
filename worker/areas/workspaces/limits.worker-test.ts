import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
})
afterAll(() => heddle.close())

const limits = async (client: TestClient, json?: unknown) => {
  const response = await client.fetch('/api/v1/workspace/run-limits', { method: json ? 'PUT' : 'GET', json })
  return response.json()
}

it('stores run limits per workspace', async () => {
  const none = { maxTokens: null, maxCost: null, maxSteps: null, maxSeconds: null }
  expect(await limits(ann)).toEqual(none)
  expect(await limits(ann, { maxTokens: 1000, maxCost: 0.5 })).toEqual({ ...none, maxTokens: 1000, maxCost: 0.5 })
  expect(await limits(ann)).toEqual({ ...none, maxTokens: 1000, maxCost: 0.5 })
  expect(await limits(await heddle.signUp())).toEqual(none)
  await limits(ann, { maxSteps: 3 })
  expect(await limits(ann)).toEqual({ ...none, maxSteps: 3 })
})

it.each([
  ['maxTokens', 0],
  ['maxSteps', 1.5],
  ['maxCost', -1],
  ['maxSeconds', 'long'],
])('refuses %s: %j and changes nothing', async (field, value) => {
  const before = await limits(ann)
  expect(await limits(ann, { [field]: value })).toMatchObject({ statusCode: 400, field })
  expect(await limits(ann)).toEqual(before)
})
