// @defends caller-names-address
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestHeddle, type TestHeddle } from './testing/heddle.ts'

let heddle: TestHeddle
beforeAll(async () => {
  heddle = await startTestHeddle()
  await heddle.signUp()
})
afterAll(() => heddle.close())

const signIn = async (headers: Record<string, string>) => {
  const client = heddle.newClient()
  const json = { email: 'person1@example.com', password: 'Correct-horse-9-staple' }
  await client.fetch('/api/v1/auth/login', { method: 'POST', json, headers })
  const response = await client.fetch('/api/v1/account/sessions')
  return (await response.json()) as { isCurrent?: boolean; address: string | null }[]
}

it.each([
  ['nothing', {}],
  ['the header of a front', { 'MF-CF-Blob': '{"clientIp":"9.9.9.9:5"}' }],
  ['the header of a proxy that is not there', { 'X-Forwarded-For': '9.9.9.9', 'CF-Connecting-IP': '9.9.9.9' }],
])('a caller who sends %s is known by the address of the connection', async (_, headers) => {
  const sessions = await signIn(headers)
  expect(new Set(sessions.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
})
