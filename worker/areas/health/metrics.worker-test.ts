// @defends metrics-reveal
import { afterAll, beforeAll, expect, it } from 'vitest'
import { VERSION } from '#contract/version.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#worker/local/testing/database-proxy.ts'
import { startTestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, code, directReply, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { parseOpenMetrics } from '../../ports/metrics/testing/parse-openmetrics.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

const TOKEN = 'a-token-for-the-operator'

let proxy: DatabaseProxy
let scene: Scene
beforeAll(async () => {
  proxy = await startDatabaseProxy()
  scene = await openScene({ metricsToken: TOKEN, databaseProxy: proxy })
})
afterAll(async () => {
  await scene.close()
  await proxy.close()
})

const ask = (authorization?: string) =>
  scene.heddle.fetch('/api/v1/metrics', authorization === undefined ? {} : { headers: { authorization } })

async function scrape() {
  const response = await ask(`Bearer ${TOKEN}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  const families = parseOpenMetrics(text)
  /** The sum of the samples that have these labels. */
  const read = (name: string, labels: Record<string, string> = {}): number =>
    [...families.values()]
      .flatMap(({ samples }) => samples.get(name) ?? [])
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((sum, { value }) => sum + value, 0)
  return { text, families, read }
}

/** Scrapes until a value has grown by `by` or more since before. */
async function grown(
  before: Awaited<ReturnType<typeof scrape>>,
  [name, labels, by]: [string, Record<string, string>, number],
) {
  await expect
    .poll(async () => (await scrape()).read(name, labels) - before.read(name, labels), { timeout: 10_000 })
    .toBeGreaterThanOrEqual(by)
}

it.each([undefined, '', 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `bearer${TOKEN}`, `Basic ${TOKEN}`])(
  'are refused with the authorization %j',
  async (authorization) => {
    const response = await ask(authorization)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ message: 'Send METRICS_TOKEN as Bearer token' })
  },
)

it('are not opened by a session or by an API key', async () => {
  expect((await scene.ann.fetch('/api/v1/metrics')).status).toBe(401)
  const key = await scene.call<{ apiKey: string }>('POST', '/apikey', {
    keyName: 'k',
    permissions: ['agentflows:view'],
  })
  const headers = { authorization: `Bearer ${key.body.apiKey}` }
  expect((await scene.heddle.fetch('/api/v1/chatflows', { headers })).status).toBe(200)
  expect((await ask(`Bearer ${key.body.apiKey}`)).status).toBe(401)
})

it('are not found where no token is set', async () => {
  const heddle = await startTestHeddle()
  const headers = { authorization: 'Bearer ' }
  expect((await heddle.fetch('/api/v1/metrics')).status).toBe(404)
  expect((await heddle.fetch('/api/v1/metrics', { headers })).status).toBe(404)
  await heddle.close()
})

it('tell what was called, run and counted, by states and patterns of routes', async () => {
  const before = await scrape()
  scene.model.reply({ text: 'Well' })
  const good = await scene.save(chain(start(), code('return 6 * 7'), llm(scene.model.baseUrl), directReply('Yes')))
  const bad = await scene.save(chain(start(), code('throw new Error("no")')))
  expect((await scene.ask(good, { question: 'q' })).status).toBe(200)
  expect((await scene.ask(bad, { question: 'q' })).status).toBe(500)
  const after = await scrape()
  const added = (name: string, labels: Record<string, string> = {}) =>
    after.read(name, labels) - before.read(name, labels)

  const asked = { method: 'POST', route: '/prediction/:id' }
  expect(added('heddle_http_request_duration_seconds_count', { ...asked, status: '2xx' })).toBe(1)
  expect(added('heddle_http_request_duration_seconds_count', { ...asked, status: '5xx' })).toBe(1)
  expect(added('heddle_runs_started_total')).toBe(2)
  expect(added('heddle_runs_ended_total', { state: 'FINISHED' })).toBe(1)
  expect(added('heddle_runs_ended_total', { state: 'ERROR' })).toBe(1)
  expect(added('heddle_steps_total', { status: 'FINISHED' })).toBe(5)
  expect(added('heddle_steps_total', { status: 'ERROR' })).toBe(1)
  expect(added('heddle_model_calls_total', { outcome: 'answered' })).toBe(1)
  expect(added('heddle_model_tokens_total', { direction: 'output' })).toBeGreaterThan(0)
  expect(added('heddle_functions_total')).toBe(2)
  expect(added('heddle_function_cpu_seconds_total')).toBeGreaterThan(0)
  expect(added('heddle_database_request_duration_seconds_count', { outcome: 'answered' })).toBeGreaterThan(2)
  expect(after.read('heddle_build_info', { version: VERSION })).toBe(1)
  expect(after.read('heddle_process_resident_memory_bytes', { process: 'node' })).toBeGreaterThan(1e7)
  if (process.platform === 'linux')
    expect(after.read('heddle_process_resident_memory_bytes', { process: 'workerd' })).toBeGreaterThan(1e7)
})

it('tell of live runs, of failed model calls and of triggers', async () => {
  const before = await scrape()
  const answer = gate()
  scene.model.reply({ error: { status: 400, message: 'no' }, before: answer.opened })
  const flow = await scene.save(chain(start(), llm(scene.model.baseUrl)))
  const asked = scene.ask(flow, { question: 'q' })
  await grown(before, ['heddle_runs_live', {}, 1])
  answer.open()
  expect(await asked).toMatchObject({ status: 500 })
  await grown(before, ['heddle_model_calls_total', { outcome: 'failed' }, 1])
  expect((await scrape()).read('heddle_runs_live')).toBe(0)

  const daily = { startInputType: 'scheduleInput', scheduleType: 'cronExpression', scheduleCronExpression: '0 9 * * *' }
  const scheduled = { ...daily, scheduleInputMode: 'text', scheduleDefaultInput: 'Go' }
  const triggered = await scene.save(chain(start(scheduled), directReply('Yes')))
  const { body } = await scene.call<{ data: { id: string }[] }>('GET', `/triggers?flowId=${triggered}`)
  expect((await scene.call('POST', `/triggers/${body.data[0]?.id}/run`, {})).status).toBe(200)
  await grown(before, ['heddle_trigger_delay_seconds_count', { source: 'manual' }, 1])
})

it('tell of a database that throttles, and of what was repeated', async () => {
  const before = await scrape()
  proxy.fail({ status: 429, body: 'no' }, { status: 429, body: 'no' })
  expect((await scene.ann.fetch('/api/v1/variables')).status).toBe(200)
  const after = await scrape()
  const throttled = ['heddle_database_request_duration_seconds_count', { outcome: 'throttled' }] as const
  expect(after.read(...throttled) - before.read(...throttled)).toBe(2)
  expect(after.read('heddle_database_repeats_total') - before.read('heddle_database_repeats_total')).toBe(2)
})

it('tell the bytes of files', async () => {
  const before = await scrape()
  const flow = await scene.save(chain(start(), directReply('Yes')))
  const upload = {
    data: `data:text/plain;base64,${btoa('x'.repeat(5000))}`,
    type: 'file',
    name: 'a.txt',
    mime: 'text/plain',
  }
  expect((await scene.internally(flow, { question: 'q', uploads: [upload] })).status).toBe(200)
  await grown(before, ['heddle_file_written_bytes_total', {}, 5000])
})

it('have no series for what callers make up, and nothing that was sent or named', async () => {
  const before = await scrape()
  const name = 'a-name-that-people-gave'
  const flow = await scene.save(chain(start(), directReply('Yes')), { name })
  await scene.ask(flow, { question: 'a-question-of-somebody' })
  for (const path of ['a-path-of-mine', 'another/of/mine', `chatflows/${flow}?key=a-query-of-mine`])
    await (await scene.heddle.fetch(`/api/v1/${path}`, { method: 'QUERY' })).text()
  const after = await scrape()
  const { body: user } = await scene.call<{ activeWorkspaceId: string; name: string }>('GET', '/account')
  for (const secret of [
    name,
    flow,
    'a-question',
    'of-mine',
    'QUERY',
    'of/mine',
    TOKEN,
    user.activeWorkspaceId,
    'Person',
  ])
    expect(after.text).not.toContain(secret)
  const unknown = { method: 'other', route: 'none', status: '4xx' }
  const count = 'heddle_http_request_duration_seconds_count'
  expect(after.read(count, unknown) - before.read(count, unknown)).toBe(3)
})
