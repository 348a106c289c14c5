// @defends caller-names-address
// @defends caller-fills-database
// @defends caller-uses-every
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { rateLimits } from '#db/schema/index.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { addTo, giveBack, takeFrom } from './rate-limit.ts'

let heddle: TestHeddle
let seconds = 1_000_000
const services = () => ({ db: heddle.database, clock: { now: () => new Date(seconds * 1000) } })
const rows = () => heddle.database.select().from(rateLimits)

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', clientAddressHeader: 'cf-connecting-ip' })
})
afterAll(() => heddle.close())
beforeEach(async () => {
  await heddle.database.delete(rateLimits)
})

const login = (email: string, address: string) =>
  heddle.fetch('/api/v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': address },
    body: JSON.stringify({ email, password: 'guess' }),
  })

it('counts uses until the window is used up, and again in the next window', async () => {
  const window = { key: 'one', max: 2, windowSeconds: 60 }
  await takeFrom(services(), [window])
  await takeFrom(services(), [window])
  seconds += 20
  await expect(takeFrom(services(), [window])).rejects.toMatchObject({
    code: 'rate_limited',
    details: { retryAfterSeconds: 40 },
  })
  seconds += 40
  await takeFrom(services(), [window])
})

it('a rate limit does not count a use that was given back', async () => {
  const window = { key: 'back', max: 1, windowSeconds: 60 }
  for (let i = 0; i < 3; i++) {
    await takeFrom(services(), [window])
    await giveBack(services(), window)
  }
  await takeFrom(services(), [window])
  await expect(takeFrom(services(), [window])).rejects.toMatchObject({ code: 'rate_limited' })
})

it('a rate limit leaves windows after a used-up one unchanged', async () => {
  const first = { key: 'first', max: 1, windowSeconds: 60 }
  const take = (key: string) => takeFrom(services(), [first, { key, max: 5, windowSeconds: 60 }])
  await take('a')
  const before = await rows()
  expect(before).toHaveLength(2)
  for (const key of ['a', 'b', 'c']) await expect(take(key)).rejects.toMatchObject({ code: 'rate_limited' })
  expect((await rows()).map(({ key }) => key).sort()).toEqual(before.map(({ key }) => key).sort())
  expect((await rows()).map(({ count }) => count).sort()).toEqual([1, 4])
})

it('adds amounts up until the next window begins', async () => {
  const add = (amount: number) => addTo(services(), { key: 'sum', amount, windowSeconds: 60 })
  expect(await add(300)).toEqual({ used: 300, secondsLeft: 60 })
  seconds += 20
  expect(await add(250)).toEqual({ used: 550, secondsLeft: 40 })
  seconds += 40
  expect(await add(10)).toEqual({ used: 10, secondsLeft: 60 })
})

it('stores rows of one size for all keys', async () => {
  for (const key of ['x', 'y'.repeat(100_000)]) await takeFrom(services(), [{ key, max: 1, windowSeconds: 60 }])
  expect((await rows()).map(({ key }) => key.length)).toEqual([43, 43])
})

it('adds a row for an address, and none for what it sends', async () => {
  const address = '203.0.113.1'
  const used = { key: `POST /auth/login address ${address}`, max: 100, windowSeconds: 300 }
  const now = { ...services(), clock: { now: () => new Date() } }
  for (let i = 0; i < 100; i++) await takeFrom(now, [used])
  for (let i = 0; i < 5; i++) expect((await login(`p${i}@example.com`, address)).status).toBe(429)
  expect(await rows()).toHaveLength(1)
  const long = await login(`${'a'.repeat(250)}@example.com`, '203.0.113.2')
  expect(long.status).toBe(400)
  expect(await long.json()).toMatchObject({ field: 'email', message: 'email: Email must have at most 254 characters' })
  expect(await rows()).toHaveLength(2)
})

it('counts the addresses of one IPv6 network as one caller', async () => {
  const verify = (address: string) =>
    heddle.fetch('/api/v1/verify/apikey/none', { headers: { 'cf-connecting-ip': address } })
  const statuses = []
  for (let i = 0; i < 101; i++) statuses.push((await verify(`2001:db8:1:1::${i.toString(16)}`)).status)
  expect(statuses).toEqual([...Array(100).fill(401), 429])
  expect((await verify('2001:db8:1:2::1')).status).toBe(401)
})

it('no client behind a proxy that adds to a list chooses the address that it is counted by', async () => {
  const behind = await startTestHeddle({ platformType: 'cloud', clientAddressHeader: 'x-forwarded-for' })
  const verify = async (sent: string) =>
    (await behind.fetch('/api/v1/verify/apikey/none', { headers: { 'x-forwarded-for': sent } })).status
  const statuses = []
  for (let i = 0; i < 101; i++) statuses.push(await verify(`203.0.113.${i}, 192.0.2.7`))
  expect(statuses).toEqual([...Array(100).fill(401), 429])
  expect(await verify('203.0.113.1, 192.0.2.8')).toBe(401)
  await behind.close()
})

it('no client without a proxy in front chooses the address that it is counted by', async () => {
  const open = await startTestHeddle({ platformType: 'cloud' })
  const statuses = []
  for (let i = 0; i < 101; i++) {
    const address = `203.0.113.${i}`
    const headers = { 'cf-connecting-ip': address, 'x-forwarded-for': address, 'x-real-ip': address }
    statuses.push((await open.fetch('/api/v1/verify/apikey/none', { headers })).status)
  }
  await open.close()
  expect(statuses).toEqual([...Array(100).fill(401), 429])
})
