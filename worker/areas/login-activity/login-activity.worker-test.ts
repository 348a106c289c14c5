// @defends anonymous-fill-login
import { count, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SignInRecord } from '#contract/organization/records.ts'
import { loginActivity, users } from '#db/schema/index.ts'
import { userOf } from '#worker/http/testing/people.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { recordSignIn } from './record.ts'

const PASSWORD = 'Correct-horse-9-staple'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  const bindings = { PLATFORM_ADMIN_EMAIL: 'ann@example.com' }
  heddle = await startTestHeddle({ platformType: 'cloud', bindings })
  ann = await heddle.signUp({ name: 'Ann', email: 'ann@example.com', password: PASSWORD })
  await heddle.database.update(users).set({ emailVerifiedDate: '2026-01-01T00:00:00.000Z' })
  bob = await heddle.signUp({ name: 'Bob', email: 'bob@example.com', password: PASSWORD })
})
afterAll(() => heddle.close())

const listed = async (client: TestClient, query = '') =>
  (await call(client, 'GET', `/login-activity${query}`)).body.data as SignInRecord[]
const signIn = (email: string, password: string) => call(heddle.newClient(), 'POST', '/auth/login', { email, password })
const results = async (client: TestClient, query = '') => (await listed(client, query)).map(({ result }) => result)

it('keeps who signed in how, with what result, and not what was typed', async () => {
  await heddle.database.delete(loginActivity)
  await signIn('bob@example.com', PASSWORD)
  await signIn('bob@example.com', 'what-was-typed-1')
  const [refused, signedIn] = await listed(bob)
  const { id: userId } = await userOf(bob)
  expect(signedIn).toMatchObject({ userId, name: 'Bob', method: 'password', result: 'success' })
  expect(refused).toMatchObject({ userId, result: 'wrong_password' })
  expect(JSON.stringify(await heddle.database.select().from(loginActivity))).not.toContain('what-was-typed')
  expect(await results(bob, '?result=success&method=password&user=bob@')).toEqual(['success'])
  expect(await results(bob, '?user=nobody')).toEqual([])
  const { next } = (await call(bob, 'GET', '/login-activity?limit=1')).body
  expect(await results(bob, `?limit=1&before=${encodeURIComponent(next)}`)).toEqual(['success'])
  expect(await listed(ann)).toEqual([])
})

it('deletes only rows of the organization', async () => {
  const [row] = await listed(bob)
  const removed = (client: TestClient) => call(client, 'DELETE', '/login-activity', { ids: [row?.id] })
  expect((await removed(ann)).body).toEqual({ affected: 0 })
  expect((await removed(bob)).body).toEqual({ affected: 1 })
  expect(await results(bob)).toEqual(['success'])
})

it('exports what it lists', async () => {
  const csv = await (await bob.fetch('/api/v1/login-activity/export')).text()
  expect(csv).toContain('"Bob","bob@example.com"')
  const rows = (await (await bob.fetch('/api/v1/login-activity/export?format=jsonl')).text()).trim().split('\n')
  expect(rows.map((row) => JSON.parse(row))).toEqual(await listed(bob))
})

it('keeps attempts on no account once an address and hour, for the platform admin alone', async () => {
  await heddle.database.delete(loginActivity)
  for (let tried = 0; tried < 3; tried++) await signIn(`nobody${tried}@example.com`, 'guess')
  expect(await listed(bob)).toEqual([])
  const [row, ...others] = await listed(ann)
  expect(others).toEqual([])
  expect(row).toMatchObject({ userId: null, email: null, result: 'unknown_account' })
  expect(JSON.stringify(row)).not.toContain('nobody')
})

it('grows no further, however many addresses ask for however many accounts', async () => {
  await heddle.database.delete(loginActivity)
  const services = { db: heddle.database, clock: { now: () => new Date() } } as never
  const facts = { method: 'password', device: null, country: null } as const
  for (let at = 0; at < 230; at++) {
    await recordSignIn(services, { ...facts, userId: null, result: 'unknown_account', address: `10.0.0.${at}` })
  }
  const anonymous = heddle.database.select({ rows: count() }).from(loginActivity).where(isNull(loginActivity.userId))
  expect(await anonymous).toEqual([{ rows: 200 }])
  const { id: userId } = await userOf(bob)
  for (let at = 0; at < 60; at++) {
    await recordSignIn(services, { ...facts, userId, result: 'wrong_password', address: `10.0.0.${at}` })
  }
  await recordSignIn(services, { ...facts, userId, result: 'success', address: '10.0.0.1' })
  const ofBob = heddle.database.select({ rows: count() }).from(loginActivity).where(eq(loginActivity.userId, userId))
  expect(await ofBob).toEqual([{ rows: 51 }])
})

it('keeps attempts for 90 days', async () => {
  await heddle.scheduled(new Date(Date.now() + 89 * 86_400_000))
  expect(await heddle.database.select().from(loginActivity)).not.toEqual([])
  await heddle.scheduled(new Date(Date.now() + 91 * 86_400_000))
  expect(await heddle.database.select().from(loginActivity)).toEqual([])
})
