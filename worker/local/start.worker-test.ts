import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { chain, directReply, llm, start as startNode } from '../../e2e/support/flows.ts'
import { gate, type ModelServer, startModelServer } from '../../e2e/support/model-server.ts'
import { startS3Server } from '../ports/s3/testing/s3-server.ts'
import { root } from './paths.ts'
import { assertPortIsFree } from './port.ts'
import { call, createTestClient } from './testing/client.ts'
import { findFreePort } from './testing/free-port.ts'

let dist: string
let dataDir: string
const started: ChildProcess[] = []

beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), 'heddle-dist-'))
})
afterAll(() => rmSync(dist, { recursive: true }))

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-start-'))
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true })
})

/** Runs start.ts as npm does. `settled` resolves when it is ready or has ended. */
function start(env: Record<string, string>, nodeOptions: string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, 'worker/local/start.ts'], {
    cwd: root,
    env: { ...process.env, HEDDLE_DIST: dist, DATA_DIR: dataDir, ...env },
  })
  started.push(child)
  const said = { out: '', err: '' }
  child.stderr.on('data', (text) => {
    said.err += text
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => {
      said.out += text
      if (said.out.includes('ready')) resolve()
    })
  })
  return { child, said, ended, settled: Promise.race([ready, ended]) }
}

/** A data folder that a later version has migrated. */
function newerDataDir(): string {
  const folder = join(dataDir, 'newer')
  mkdirSync(folder)
  const database = new Database(join(folder, 'heddle.db'))
  database.exec('CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)')
  database.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)")
  database.close()
  return folder
}

it('logs where emails go and when it is ready, stops on a signal, and leaves nothing behind', async () => {
  const port = await findFreePort()
  const { child, said, ended, settled } = start({ PORT: String(port) })
  await settled
  expect(said.out).toBe(
    `Emails are written to ${join(dataDir, 'outbox')}, because MAIL_URL is not set.\nHeddle is ready on http://localhost:${port}\n`,
  )
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(await page.text()).toContain('<div id="root">')

  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  await assertPortIsFree(port)
  // The database was closed properly: its one file has everything. SQLite may leave the empty log behind.
  expect(statSync(join(dataDir, 'heddle.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0)
}, 60_000)

it('logs what to do when it cannot start', async () => {
  const port = await findFreePort()
  const first = start({ PORT: String(port) })
  await first.settled
  const samePort = start({ PORT: String(port), DATA_DIR: join(dataDir, 'other') })
  const sameFolder = start({ PORT: String(await findFreePort()) })
  const noPort = start({ PORT: 'many' })
  const newer = start({ PORT: String(await findFreePort()), DATA_DIR: newerDataDir() })
  expect(await Promise.all([samePort, sameFolder, noPort, newer].map(({ ended }) => ended))).toEqual([1, 1, 1, 1])
  expect(samePort.said.err).toBe(
    `Heddle could not start: Port ${port} is taken by another program. Stop it, or set PORT to another number.\n`,
  )
  expect(sameFolder.said.err).toBe(
    `Heddle could not start: Another Heddle is running on ${dataDir}. Stop it, or set DATA_DIR to another folder.\n`,
  )
  expect(noPort.said.err).toContain('PORT is "many"')
  expect(newer.said.err).toContain('Heddle could not start: The database was migrated by a newer version of Heddle: ')
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/ping`)).status).toBe(200)
}, 60_000)

/** A module that makes the minute of the scheduled backup come at once, and names the programs in their order. */
const MINUTE_AT_ONCE = `
  import { subscribe } from 'node:diagnostics_channel'
  import { registerHooks } from 'node:module'
  subscribe('child_process', ({ process: child }) =>
    child.once('spawn', () => {
      const [name] = /(workerd|backup\\.ts)(?= )/.exec(child.spawnargs.join(' ')) ?? []
      if (name) console.log('Started ' + name)
    }),
  )
  const timer = 'export const startCronTimer = (work) => void setImmediate(work, new Date(1_800_000_000_000))'
  registerHooks({
    resolve: (name, context, next) =>
      name.endsWith('/cron-timer.ts') && context.parentURL.endsWith('/backup/schedule.ts')
        ? { url: 'data:text/javascript,' + encodeURIComponent(timer), shortCircuit: true }
        : next(name, context),
  })`

it('makes a backup that was due during the first start when that is done', async () => {
  const bucket = await startS3Server()
  const settings = Object.entries(bucket.settings).map(([name, value]) => [`BACKUP_${name}`, value])
  const { said, settled } = start(
    { PORT: String(await findFreePort()), BACKUP_SCHEDULE: '* * * * *', ...Object.fromEntries(settings) },
    ['--import', `data:text/javascript,${encodeURIComponent(MINUTE_AT_ONCE)}`],
  )
  await settled
  await expect.poll(() => said.out).toContain('Backed up to heddle-')
  expect(said.out.match(/^Started .+$/gm)).toEqual(['Started workerd', 'Started backup.ts'])
  expect([...bucket.objects.keys()].filter((name) => name.endsWith('.tar.gz'))).toHaveLength(1)
  expect(said.err).not.toContain('backup')
  await bucket.close()
}, 60_000)

/** Starts Heddle with a run whose model has been asked and does not answer yet. */
async function startWithRun(model: ModelServer) {
  const port = await findFreePort()
  const heddle = start({ PORT: String(port), ALLOW_PRIVATE_HOSTS: model.host })
  await heddle.settled
  const url = `http://127.0.0.1:${port}`
  const client = createTestClient(url)
  await call(client, 'POST', '/account/register', {
    name: 'Ann',
    email: 'a@example.com',
    password: 'Correct-horse-9-staple',
  })
  const flowData = JSON.stringify(chain(startNode(), llm(model.baseUrl), directReply('{{llmAgentflow_0}}')))
  const flow = await call(client, 'POST', '/chatflows', { name: 'f', type: 'AGENTFLOW', flowData })
  const answer = gate()
  model.reply({ text: 'Well', before: answer.opened })
  const asked = call(client, 'POST', `/internal-prediction/${flow.body.id}`, { question: 'q' })
  await model.received(1)
  return { ...heddle, url, asked, answer }
}

it('is not ready any more once it stops, but answers until the run that is being worked on has ended', async () => {
  const model = await startModelServer()
  const { child, said, ended, asked, answer, url } = await startWithRun(model)
  expect((await fetch(`${url}/api/v1/ready`)).status).toBe(200)
  child.kill('SIGTERM')
  await expect.poll(() => said.out).toContain('Stopping once 1 run has ended, or in 25 seconds.')
  const ready = await fetch(`${url}/api/v1/ready`)
  expect(ready.status).toBe(503)
  expect(await ready.json()).toEqual({
    ready: false,
    checks: { database: 'ok', migrations: 'ok', files: 'ok' },
    problems: ['Heddle is stopping. It answers until the runs that it works on have ended.'],
  })
  expect((await fetch(`${url}/api/v1/health`)).status).toBe(200)
  answer.open()
  expect(await asked).toMatchObject({ status: 200, body: { text: 'Well' } })
  expect(await ended).toBe(0)
  await model.close()
}, 60_000)

it('stops after 25 seconds and says that the next start continues the run', async () => {
  const model = await startModelServer()
  const { child, said, ended, asked } = await startWithRun(model)
  asked.catch(() => undefined)
  const before = Date.now()
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(said.out).toContain('The next start continues the run that did not end.')
  expect(Date.now() - before).toBeLessThan(29_000)
  await model.close()
}, 60_000)
