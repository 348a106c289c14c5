import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unstable_startWorker } from 'wrangler'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { type OpenedDatabase, openDatabase } from '../database.ts'
import { distFolder, root } from '../paths.ts'
import { call, createTestClient } from '../testing/client.ts'
import { copyTemplateDatabase } from '../testing/template-database.ts'

/** The worker as `wrangler dev` runs it: on Cloudflare's own router and asset server, which `npm start` does not use. */
let worker: Awaited<ReturnType<typeof unstable_startWorker>>
let database: OpenedDatabase
let folder: string

const KEY = Buffer.alloc(32, 1).toString('base64url')

const text = (value: string) => ({ type: 'plain_text', value }) as const

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-wrangler-'))
  const assets = join(folder, 'client')
  mkdirSync(join(assets, 'assets'), { recursive: true })
  cpSync(join(root, 'web/public/_headers'), join(assets, '_headers'))
  writeFileSync(join(assets, 'index.html'), '<!doctype html><title>Heddle</title>')
  writeFileSync(join(assets, 'assets/app-1a2b.js'), 'export {}')
  copyTemplateDatabase(folder)
  database = await openDatabase({ dataDir: folder })
  // It would ask the internet where this machine is.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
  worker = await unstable_startWorker({
    config: join(distFolder(), 'heddle/wrangler.json'),
    assets,
    dev: {
      logLevel: 'none',
      inspector: false,
      persist: false,
      watch: false,
      server: { hostname: '127.0.0.1', port: 0 },
    },
    bindings: {
      LIBSQL_URL: text(database.url),
      LIBSQL_AUTH_TOKEN: text(database.authToken ?? ''),
      MASTER_KEY: text(KEY),
      SESSION_KEY: text(KEY),
    },
  })
})
afterAll(async () => {
  await worker?.dispose()
  await database?.close()
  rmSync(folder, { recursive: true })
})

async function get(path: string) {
  const response = await fetch(new URL(path, await worker.url))
  await response.arrayBuffer()
  const header = (name: string) => response.headers.get(name)
  return { status: response.status, type: header('content-type'), cached: header('cache-control') }
}

const KEPT_FOR_A_YEAR = 'public, max-age=31536000, immutable'

it('keeps the files of a build for a year', async () => {
  expect(await get('/assets/app-1a2b.js')).toMatchObject({ status: 200, cached: KEPT_FOR_A_YEAR })
})

const missing = ['/assets/of-an-older-build.js', '/assets/of-an-older-build.css', '/assets/', '/robots.txt', '/apix.js']
it.each(missing)('answers 404 for a file that the build does not have, and lets nobody keep it: %s', async (path) => {
  expect(await get(path)).toEqual({ status: 404, type: 'text/plain; charset=UTF-8', cached: 'no-store' })
})

it.each(['/', '/app', '/chatbot/some-flow', '/apix', '/triggers/a.b/c'])(
  'answers with the page where the browser has a route: %s',
  async (path) => {
    expect(await get(path)).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
  },
)

it.each(['/api/v1/nothing', '/api', '/v1', '/scim'])('leaves the paths of the API to the API: %s', async (path) => {
  expect(await get(path)).toMatchObject({ status: 404, type: expect.stringContaining('application/json') })
})

it('sets up the first account, signs in, saves a flow and runs it', async () => {
  const url = String(await worker.url).replace(/\/$/, '')
  const person = { email: 'ann@example.com', password: 'Correct-horse-9-staple' }
  const registered = await call(createTestClient(url), 'POST', '/account/register', { name: 'Ann', ...person })
  expect(registered).toMatchObject({ status: 200 })
  const ann = createTestClient(url)
  expect(await call(ann, 'POST', '/auth/login', person)).toMatchObject({ status: 200 })
  const flow = { name: 'Echo', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), directReply('Hello'))) }
  const saved = await call(ann, 'POST', '/chatflows', { ...flow, callers: 'everyone' })
  expect(saved).toMatchObject({ status: 200 })
  const answer = await call(createTestClient(url), 'POST', `/prediction/${saved.body.id}`, { question: 'Hi' })
  expect(answer).toMatchObject({ status: 200, body: { text: 'Hello' } })
})

it('spares the database an address that calls far more often than it may', async () => {
  const client = createTestClient(String(await worker.url).replace(/\/$/, ''))
  const guess = () => call(client, 'POST', '/auth/login', {})
  for (let done = 0; done < 240; done += 24) await Promise.all(Array.from({ length: 24 }, guess))
  const before = database.roundTrips()
  expect(await guess()).toMatchObject({ status: 429, body: { message: expect.stringContaining('60 seconds') } })
  expect(database.roundTrips()).toBe(before)
})
