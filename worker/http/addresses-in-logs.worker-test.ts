// @defends address-logged
/**
 * Calls every public route with a secret wherever an address takes one: in each part of its path, and as a token, a code
 * or a key of its query. It comes neither into a line of the log nor into the database, whether the call fails or not.
 */
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { routes } from '../areas/index.ts'
import { bodyOf, nameOf } from './testing/calls.ts'

const SECRET = 'secret0fAnAddress0123456789'
const QUERY = ['token', 'code', 'state', 'key', 'apiKey', 'access_token', 'secret'].map((name) => `${name}=${SECRET}`)

let heddle: TestHeddle
beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', clientAddressHeader: 'x-client-address' })
})
afterAll(() => heddle.close())
afterEach(() => vi.restoreAllMocks())

const isPublic = ({ access }: (typeof routes)[number]) => access === 'public'
const addresses = routes.filter(isPublic).flatMap((route) => {
  const path = `/api/v1${route.path.replace(/:[^/]+/g, SECRET)}`
  return [path, `${path}?${QUERY.join('&')}`].map((address) => ({ route, address }))
})

/** Returns the statuses by route, and what was logged meanwhile. */
async function callAll() {
  const lines: string[] = []
  for (const level of ['error', 'warn', 'info', 'log', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...said) => void lines.push(said.map(String).join(' ')))
  }
  const statuses = new Map<string, number>()
  for (const [index, { route, address }] of addresses.entries()) {
    const body = bodyOf(route)
    const response = await heddle.fetch(address, {
      method: route.method,
      headers: { 'x-client-address': `10.0.${index >> 8}.${index & 255}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    await response.text()
    statuses.set(nameOf(route), response.status)
  }
  vi.restoreAllMocks()
  return { statuses, logged: lines.join('\n') }
}

async function storedRows(): Promise<string> {
  const { rows: tables } = await heddle.database.run(sql`select name from sqlite_master where type = 'table'`)
  const texts = tables.map(async ({ name }) => {
    const { rows } = await heddle.database.run(sql`select * from ${sql.identifier(String(name))}`)
    return JSON.stringify(rows)
  })
  return (await Promise.all(texts)).join('\n')
}

it('a secret in an address is neither logged nor stored', async () => {
  const { logged } = await callAll()
  expect(logged).not.toContain(SECRET)
  expect(await storedRows()).not.toContain(SECRET)
})

it('a secret in an address is not logged with what fails', async () => {
  for (const table of ['apikeys', 'chatflows', 'triggers', 'executions']) {
    await heddle.database.run(sql`alter table ${sql.identifier(table)} rename to ${sql.identifier(`${table}_gone`)}`)
  }
  const { statuses, logged } = await callAll()
  for (const name of ['GET /verify/apikey/:key', 'GET /chatflows/apikey/:key']) expect(statuses.get(name)).toBe(500)
  expect(logged).toContain('no such table')
  expect(logged).not.toContain(SECRET)
})
