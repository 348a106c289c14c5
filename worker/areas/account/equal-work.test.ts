// @defends anonymous-learns-answer
/** What an anonymous caller could measure: the hashes and statements that a call does before it answers. */
import { createHook } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { EMAIL_SENT } from '#contract/organization/email-calls.ts'
import { type Database, openDatabase } from '#db/client.ts'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { migrateForTests } from '#db/local/testing/migrate.ts'
import { emails, rateLimits, users } from '#db/schema/index.ts'
import { createApp } from '../../app.ts'
import type { Env } from '../../env.ts'
import type { Services } from '../../services.ts'
import { routes as sso } from '../sso/routes.ts'
import { requestNewEmail } from './email-change.ts'
import { routes } from './routes.ts'

const work: string[] = []

const hashes = createHook({
  init(_, type) {
    if (type === 'SCRYPTREQUEST') work.push('scrypt')
  },
})

let folder: string
let server: LibsqlServer
let db: Database
let services: Services
let call: (path: string, json: unknown) => Promise<unknown>

const person = (name: string) => ({ name, email: `${name}@example.com`, password: 'Correct-horse-9-staple' })

beforeAll(async () => {
  hashes.enable()
  folder = mkdtempSync(join(tmpdir(), 'heddle-emails-'))
  server = await startLibsqlServer({ file: join(folder, 'test.db') })
  db = openDatabase(server.url, server.authToken)
  await migrateForTests(server)
  services = {
    db,
    clock: { now: () => new Date() },
    config: { platformType: 'cloud', appUrl: 'https://pages.heddle.test', sessionKey: 'k'.repeat(43) },
    cipher: { createWorkspaceKey: async () => 'key' },
    mail: { takesEmails: true, send: async () => {} },
    openOutside: () => ({ egress: {} }),
  } as unknown as Services
  const app = createApp(services, [...routes, ...sso], {
    fetch: async () => new Response(),
  } as Env['ASSETS'])
  call = async (path, json) => {
    const later: Promise<unknown>[] = []
    const context = { waitUntil: (promise: Promise<unknown>) => later.push(promise), passThroughOnException() {} }
    const sent = { 'content-type': 'application/json', origin: 'http://localhost', host: 'localhost' }
    const request = new Request(`http://localhost/api/v1${path}`, {
      method: 'POST',
      headers: sent,
      body: JSON.stringify(json),
    })
    const recorded = recordStatements()
    const response = await app.fetch(request, {}, context as never)
    recorded.stop()
    const { status } = response
    const headers = headersOf(response)
    const answer = { status, headers, body: await response.json(), later: later.length, work: work.splice(0) }
    await Promise.all(later)
    return answer
  }
  await call('/account/register', person('known'))
  await db.update(users).set({ status: 'active' }).where(eq(users.email, 'known@example.com'))
  await call('/account/register', person('waiting'))
})
afterAll(async () => {
  hashes.disable()
  await server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  await db.delete(rateLimits)
  await db.delete(emails)
})

/** The headers of an answer; of cookies, which are random, the name and the attributes. */
function headersOf({ headers }: Response) {
  const kept = [...headers].filter(([name]) => name !== 'x-request-id')
  return kept.map(([name, value]) => [name, name === 'set-cookie' ? value.replace(/=[^;]+/, '') : value])
}

/** The texts of statements on their way to the database, without their values. */
function recordStatements() {
  const send = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : ''
    work.push(...[...body.matchAll(/"sql":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => text as string))
    return send(input, init)
  }
  return {
    stop() {
      globalThis.fetch = send
    },
  }
}

const emailsTo = async (address: string) =>
  (await db.select().from(emails).where(eq(emails.address, address))).map(({ kind }) => kind)

it('registers a new, a waiting and a known address with the same answer after the same work', async () => {
  const fresh = await call('/account/register', person('fresh'))
  const waiting = await call('/account/register', person('waiting'))
  const known = await call('/account/register', person('known'))
  expect(fresh).toMatchObject({ status: 200, body: { message: EMAIL_SENT }, later: 1 })
  expect((fresh as { work: string[] }).work.filter((item) => item === 'scrypt')).toHaveLength(1)
  expect((fresh as { work: string[] }).work.length).toBeGreaterThan(10)
  expect(waiting).toEqual(fresh)
  expect(known).toEqual(fresh)
  expect(await emailsTo('fresh@example.com')).toEqual(['verify-email'])
  expect(await emailsTo('waiting@example.com')).toEqual(['verify-email'])
  expect(await emailsTo('known@example.com')).toEqual(['account-exists'])
  expect(await db.select().from(users)).toHaveLength(3)
})

it.each([
  ['/account/forgot-password', 'reset-password'],
  ['/account/resend-verification', 'verify-email'],
])('%s says and does the same for known and unknown addresses', async (path, kind) => {
  const known = await call(path, { email: 'waiting@example.com' })
  const unknown = await call(path, { email: 'nobody@example.com' })
  expect(known).toMatchObject({ status: 200, body: { message: EMAIL_SENT }, later: 1 })
  expect((known as { work: string[] }).work.length).toBeGreaterThan(1)
  expect(unknown).toEqual(known)
  expect(await emailsTo('waiting@example.com')).toEqual([kind])
  expect(await emailsTo('nobody@example.com')).toEqual([])
})

it('asks for a new address with the same answer after the same work, whether it is known, waits or is unknown', async () => {
  const [person] = await db.select().from(users).where(eq(users.email, 'known@example.com'))
  await db.insert(users).values({ ...(person as typeof users.$inferInsert), id: 'asking', email: 'asking@example.com' })
  const ask = async (email: string) => {
    const later: Promise<unknown>[] = []
    const context = {
      get: () => services,
      executionCtx: { waitUntil: (promise: Promise<unknown>) => later.push(promise) },
    }
    const recorded = recordStatements()
    const body = await requestNewEmail(context as never, { userId: 'asking' } as never, email)
    recorded.stop()
    const answer = { body, later: later.length, work: work.splice(0) }
    await Promise.all(later)
    return answer
  }
  const unknown = await ask('nobody@example.com')
  expect(unknown).toMatchObject({ body: { message: EMAIL_SENT }, later: 1 })
  expect(unknown.work.length).toBeGreaterThan(5)
  expect(await ask('known@example.com')).toEqual(unknown)
  expect(await ask('waiting@example.com')).toEqual(unknown)
  expect(await emailsTo('nobody@example.com')).toEqual(['confirm-new-email'])
  expect(await emailsTo('known@example.com')).toEqual(['account-exists'])
  expect(await emailsTo('waiting@example.com')).toEqual(['confirm-new-email'])
})

it('sign-in discovery answers known and unknown addresses alike, after the same work', async () => {
  const ask = (email: string) => call('/auth/methods', { email })
  const known = await ask('known@example.com')
  expect(known).toMatchObject({ status: 200, body: { password: true, providers: [] }, later: 0 })
  expect((known as { work: string[] }).work.length).toBeGreaterThan(0)
  for (const email of ['waiting@example.com', 'nobody@example.com', 'nobody@unknown.example']) {
    expect(await ask(email)).toEqual(known)
  }
})
