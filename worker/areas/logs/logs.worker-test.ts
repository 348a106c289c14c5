// @defends failing-requests-fill
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { requestFailures } from '#db/schema/index.ts'
import { putKey, userOf } from '#worker/http/testing/people.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { MAX_FAILURES_PER_MINUTE } from '../../http/failures.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp({ name: 'Ann' })
  bob = await heddle.signUp({ name: 'Bob' })
})
afterAll(() => heddle.close())

/** Failures are written after the answer. */
const found = async (client: TestClient, query: string) => {
  const { body } = await call(client, 'GET', `/logs?${query}`)
  return body.data as Record<string, unknown>[]
}
const waitFor = (query: string) =>
  vi.waitFor(async () => {
    const rows = await found(ann, query)
    expect(rows).not.toEqual([])
    return rows
  })

it('finds the failure of a member by its request id, and shows it to no other workspace', async () => {
  const response = await ann.fetch('/api/v1/credentials/nothing')
  const { requestId } = (await response.json()) as { requestId: string }
  expect(await waitFor(`requestId=${requestId}`)).toMatchObject([
    {
      ...{ id: requestId, method: 'GET', path: '/credentials/:id', status: 404, more: 0 },
      ...{ message: 'Credential nothing not found', actorKind: 'user', actorName: 'Ann' },
    },
  ])
  expect(await found(bob, `requestId=${requestId}`)).toEqual([])
  expect(await found(ann, `requestId=${requestId}&status=5xx`)).toEqual([])
  expect(await found(ann, `requestId=${requestId}&path=variables`)).toEqual([])
})

it('keeps failures of API keys, and of public calls of its flows', async () => {
  const { activeWorkspaceId: workspaceId } = await userOf(ann)
  const key = await putKey(heddle, { workspaceId, permissions: ['chatflows:view'] })
  const headers = { authorization: `Bearer ${key}` }
  const refused = await heddle.fetch('/api/v1/variables', { headers })
  const byKey = ((await refused.json()) as { requestId: string }).requestId
  expect(await waitFor(`requestId=${byKey}`)).toMatchObject([{ status: 403, actorKind: 'apiKey', actorName: 'Test' }])
  const flowData = JSON.stringify({ nodes: [], edges: [] })
  const flow = await call(ann, 'POST', '/chatflows', { name: 'F', flowData, type: 'CHATFLOW', callers: 'keys' })
  const called = await heddle.fetch(`/api/v1/prediction/${flow.body.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"question":"?"}',
  })
  const byNobody = called.headers.get('x-request-id')
  expect(await waitFor(`requestId=${byNobody}`)).toMatchObject([
    { status: 401, path: '/prediction/:id', actorKind: 'nobody', actorName: null },
  ])
})

it('hides secrets in messages', async () => {
  const secret = 'sk-proj-abcdefghijklmnop'
  const response = await ann.fetch(`/api/v1/credentials/${secret}`)
  const [row] = await waitFor(`requestId=${response.headers.get('x-request-id')}`)
  expect(JSON.stringify(row)).not.toContain(secret)
})

it('keeps so many failures a minute, and counts the others in one row', async () => {
  await vi.waitFor(async () => expect(await found(ann, 'path=variables')).not.toEqual([]))
  await heddle.database.delete(requestFailures)
  const extra = 15
  for (let sent = 0; sent < MAX_FAILURES_PER_MINUTE + extra; sent++) await ann.fetch('/api/v1/credentials/none')
  const sum = (rows: Record<string, unknown>[]) => rows.reduce((all, { more }) => all + ((more as number) || 1), 0)
  const total = MAX_FAILURES_PER_MINUTE + extra
  await vi.waitFor(async () => expect(sum(await found(ann, 'limit=200'))).toBe(total), { timeout: 10_000 })
  const rows = await found(ann, 'limit=200')
  const minutes = new Set(rows.map(({ createdDate }) => String(createdDate).slice(0, 16))).size
  expect(rows.length).toBeLessThanOrEqual((MAX_FAILURES_PER_MINUTE + 1) * minutes)
  if (minutes === 1) expect(rows.filter(({ more }) => more === extra)).toHaveLength(1)
})

it('writes once a second, not once a request, when a minute has as many as it keeps', async () => {
  const fill = async () => {
    for (let sent = 0; sent < MAX_FAILURES_PER_MINUTE + 5; sent++) await ann.fetch('/api/v1/credentials/none')
  }
  /** Statements cross to the database for every request; those that only read are the same before and after. */
  const trips = async (requests: number) => {
    const before = heddle.roundTrips()
    const answers = Array.from({ length: requests }, () => ann.fetch('/api/v1/credentials/none'))
    await Promise.all(answers)
    return heddle.roundTrips() - before
  }
  const minute = () => new Date().toISOString().slice(0, 16)
  let [started, counted] = ['', 0]
  while (started !== minute()) {
    started = minute()
    await fill()
    counted = await trips(40)
  }
  // The session and the credential are read for each, in one.
  expect(counted).toBeGreaterThanOrEqual(40)
  expect(counted).toBeLessThan(60)
})

it('keeps failures for 14 days', async () => {
  await heddle.scheduled(new Date(Date.now() + 13 * 86_400_000))
  expect(await found(ann, '')).not.toEqual([])
  // What the test before counts is written a second later.
  await vi.waitFor(async () => {
    await heddle.scheduled(new Date(Date.now() + 15 * 86_400_000))
    expect(await found(ann, '')).toEqual([])
  })
})
