import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditEvents } from '#db/schema/index.ts'
import { userOf } from '#worker/http/testing/people.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp({ name: 'Ann' })
  bob = await heddle.signUp({ name: 'Bob' })
})
afterAll(() => heddle.close())

const get = (client: TestClient, query = '') => call(client, 'GET', `/audit-log${query}`)
const eventsOf = (page: { body: { data: { event: string; targetName: string }[] } }) =>
  page.body.data.map(({ event, targetName }) => `${event} ${targetName}`)

/** Events of one moment, more than one piece of a file holds. */
async function addEvents(client: TestClient, count: number) {
  const { activeOrganizationId: organizationId } = await userOf(client)
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `many-${String(index).padStart(5, '0')}`,
    organizationId,
    actorKind: 'system' as const,
    actorId: 'system',
    actorName: '=cmd()',
    event: 'role.update',
    targetId: 'r',
    targetName: `Role ${index}`,
    change: { name: ['=1+1', '@x'] },
    requestId: 'q',
    createdDate: '2026-01-01T00:00:00.000Z',
  }))
  for (let at = 0; at < count; at += 300) await heddle.database.insert(auditEvents).values(rows.slice(at, at + 300))
}

it('lists who changed what, newest first, with filters and pages', async () => {
  const { body: made } = await call(ann, 'POST', '/variables', { name: 'first', value: '1' })
  await call(ann, 'POST', '/variables', { name: 'second', value: '2' })
  await call(ann, 'DELETE', `/variables/${made.id}`)
  const all = ['variable.delete first', 'variable.create second', 'variable.create first']
  expect(eventsOf(await get(ann))).toEqual(all)
  expect(eventsOf(await get(ann, '?event=variable.delete'))).toEqual(all.slice(0, 1))
  expect(eventsOf(await get(ann, '?target=irs'))).toEqual([all[0], all[2]])
  expect(eventsOf(await get(ann, `?target=${made.id}&actor=Ann`))).toEqual([all[0], all[2]])
  expect(eventsOf(await get(ann, '?actor=Bob'))).toEqual([])
  const { body: first } = await get(ann, '?limit=1')
  expect(eventsOf(await get(ann, `?limit=1&before=${encodeURIComponent(first.next)}`))).toEqual([all[1]])
  const { createdDate } = first.data[0]
  expect(eventsOf(await get(ann, `?to=${createdDate}`))).toEqual(all.slice(1))
  expect(eventsOf(await get(ann, `?from=${createdDate}`))).toEqual(all.slice(0, 1))
  expect((await get(ann, '?limit=3')).body.next).toBeNull()
})

it.each(['event=user.fly', 'before=yesterday', 'from=yesterday', 'limit=201', `actor=${'x'.repeat(201)}`])(
  'refuses %s and names the field',
  async (query) => {
    const { status, body } = await get(ann, `?${query}`)
    expect(status).toBe(400)
    expect(body.field).toBe(query.split('=')[0])
  },
)

it('shows no event of another organization', async () => {
  expect((await get(bob)).body).toEqual({ data: [], next: null })
  expect(await (await bob.fetch('/api/v1/audit-log/export?format=jsonl')).text()).toBe('')
})

it('exports every event, and no cell is a formula', async () => {
  await addEvents(bob, 1203)
  const csv = await (await bob.fetch('/api/v1/audit-log/export?format=csv')).text()
  const lines = csv.trimEnd().split('\r\n')
  expect(lines).toHaveLength(1204)
  expect(new Set(lines).size).toBe(1204)
  expect(lines[1]).toContain(`"'=cmd()"`)
  expect(csv).not.toMatch(/(^|,)"[=+@-]/m)
  const response = await bob.fetch('/api/v1/audit-log/export?format=jsonl&target=Role%2012')
  const rows = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.every(({ targetName }) => targetName.startsWith('Role 12'))).toBe(true)
  expect(rows).toHaveLength(14)
})

it('keeps events for 400 days', async () => {
  await heddle.scheduled(new Date('2027-02-04T00:00:00.000Z'))
  expect((await get(bob, '?limit=1')).body.data).toHaveLength(1)
  await heddle.scheduled(new Date('2027-02-06T00:00:00.000Z'))
  expect((await get(bob, '?limit=1')).body.data).toEqual([])
})
