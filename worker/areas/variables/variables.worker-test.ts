import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_VARIABLES } from '#contract/variables/variables.ts'
import { variables } from '#db/schema/index.ts'
import { call as callApi } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())

const call = (client: TestClient, method: string, path: string, json?: unknown) =>
  callApi(client, method, `/variables${path}`, json)

it('creates, lists, updates and deletes variables', async () => {
  const made = await call(ann, 'POST', '', { name: 'city', value: 'Ghent' })
  expect(made.body).toMatchObject({ name: 'city', value: 'Ghent', type: 'static' })
  const changed = await call(ann, 'PUT', `/${made.body.id}`, { value: 'Bruges', type: 'runtime' })
  expect(changed.body).toMatchObject({ id: made.body.id, name: 'city', value: 'Bruges', type: 'runtime' })
  const listed = { ...changed.body, usageCount: 0 }
  expect((await call(ann, 'GET', '')).body).toEqual([listed])
  expect((await call(ann, 'GET', '?page=1&limit=5')).body).toEqual({ data: [listed], total: 1 })
  expect((await call(ann, 'DELETE', `/${made.body.id}`)).body).toEqual({ raw: [], affected: 1 })
  expect((await call(ann, 'DELETE', `/${made.body.id}`)).status).toBe(404)
})

it('refuses a second variable with the same name in a workspace', async () => {
  await call(ann, 'POST', '', { name: 'one', value: '1' })
  const two = await call(ann, 'POST', '', { name: 'two', value: '2' })
  const refused = [
    await call(ann, 'POST', '', { name: 'one', value: 'x' }),
    await call(ann, 'PUT', `/${two.body.id}`, { name: 'one' }),
  ]
  for (const { status, body } of refused) {
    expect(status).toBe(400)
    expect(body.field).toBe('name')
  }
  expect((await call(bob, 'POST', '', { name: 'one', value: 'bob' })).status).toBe(200)
  const values = (await call(ann, 'GET', '')).body.map((row: { value: string }) => row.value)
  expect(values.sort()).toEqual(['1', '2'])
})

it.each([
  [{ value: 'x' }, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'a b' }, 'name'],
  [{ name: 'ok', type: 'password' }, 'type'],
  [{ name: 'ok', type: 'secret' }, 'value'],
  [{ name: 'ok', type: 'secret', value: ' 12345 ' }, 'value'],
  [{ name: 'ok', type: 'secret', value: 'x'.repeat(20_001) }, 'value'],
  [{ name: 'ok', value: 5 }, 'value'],
])('refuses %j and names the field', async (bad, field) => {
  const { status, body } = await call(ann, 'POST', '', bad)
  expect(status).toBe(400)
  expect(body.field).toBe(field)
})

it('refuses values of more than 1 MB in total, of all variables of a workspace', async () => {
  const cat = await heddle.signUp()
  const text = '€'.repeat(33_000)
  for (let n = 0; n < 10; n++) await call(cat, 'POST', '', { name: `long_${n}`, value: text })
  const short = await call(cat, 'POST', '', { name: 'short', value: 'x' })
  const refused = [
    await call(cat, 'POST', '', { name: 'more', value: text }),
    await call(cat, 'PUT', `/${short.body.id}`, { value: text }),
  ]
  for (const { status, body } of refused) {
    expect([status, body.field]).toEqual([400, 'value'])
    expect(body.message).toContain('1 MB in total')
  }
  expect((await call(cat, 'PUT', `/${short.body.id}`, { value: 'y', type: 'runtime' })).status).toBe(200)
  expect((await call(cat, 'GET', '')).body).toHaveLength(11)
})

it('refuses more variables than a workspace may have', async () => {
  const dan = await heddle.signUp()
  await call(dan, 'POST', '', { name: 'first' })
  await heddle.database.run(sql`
    insert into variables (id, workspace_id, name, type, value, created_date, updated_date)
    select 'many-' || each.value, workspace_id, 'many_' || each.value, type, '', created_date, updated_date
    from generate_series(2, ${MAX_VARIABLES}) each, variables where name = 'first'`)
  const { status, body } = await call(dan, 'POST', '', { name: 'one_more' })
  expect([status, body.field]).toEqual([400, 'value'])
  expect(body.message).toContain('at most 1,000 variables')
})

it('keeps variables private to their workspace', async () => {
  const made = await call(ann, 'POST', '', { name: 'hers', value: 'v', workspaceId: 'another' })
  expect((await call(bob, 'PUT', `/${made.body.id}`, { value: 'his' })).status).toBe(404)
  expect((await call(bob, 'DELETE', `/${made.body.id}`)).status).toBe(404)
  const seen = (await call(bob, 'GET', '')).body.map((row: { id: string }) => row.id)
  expect(seen).not.toContain(made.body.id)
  const own = (await call(ann, 'GET', '')).body.find((row: { id: string }) => row.id === made.body.id)
  expect(own).toEqual({ ...made.body, usageCount: 0 })
})

describe('a secret', () => {
  const SECRET = 'correct horse battery'
  const stored = async (id: string) => (await heddle.database.select().from(variables).where(eq(variables.id, id)))[0]
  const secretOf = async (name: string) =>
    (await call(ann, 'POST', '', { name, value: SECRET, type: 'secret' })).body as { id: string }

  it('is stored encrypted and never returned', async () => {
    const made = await secretOf('hushed')
    expect(made).toMatchObject({ type: 'secret', value: '', hasValue: true })
    const renamed = await call(ann, 'PUT', `/${made.id}`, { name: 'hushed_2', value: '' })
    expect(renamed.body).toMatchObject({ name: 'hushed_2', value: '', hasValue: true })
    const row = await stored(made.id)
    expect(row?.encryptedValue).toMatch(/^v1\./)
    const seen = [
      made,
      renamed.body,
      row,
      (await call(ann, 'GET', '')).body,
      (await call(ann, 'GET', '?page=1&limit=9')).body,
    ]
    expect(JSON.stringify(seen)).not.toContain('horse')
  })

  it('is replaced by an update with a value, and kept by one without', async () => {
    const { id } = await secretOf('replaced')
    const before = (await stored(id))?.encryptedValue
    await call(ann, 'PUT', `/${id}`, { name: 'replaced', type: 'secret' })
    expect((await stored(id))?.encryptedValue).toBe(before)
    await call(ann, 'PUT', `/${id}`, { value: 'another secret' })
    expect((await stored(id))?.encryptedValue).not.toBe(before)
    expect((await call(ann, 'PUT', `/${id}`, { value: 'short' })).body.field).toBe('value')
  })

  it('takes the value of the variable that it was, and leaves none behind', async () => {
    const made = await call(ann, 'POST', '', { name: 'turned', value: SECRET })
    const changed = await call(ann, 'PUT', `/${made.body.id}`, { type: 'secret' })
    expect(changed.body).toMatchObject({ type: 'secret', value: '', hasValue: true })
    expect(JSON.stringify(await stored(made.body.id))).not.toContain('horse')
    const back = await call(ann, 'PUT', `/${made.body.id}`, { type: 'static' })
    expect(back.body).toMatchObject({ type: 'static', value: '' })
    expect((await stored(made.body.id))?.encryptedValue).toBeNull()
  })
})
