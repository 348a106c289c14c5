import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle

beforeAll(async () => {
  heddle = await startTestHeddle()
})
afterAll(() => heddle.close())

it('answers 503 while the database has the schema of another version, and works again without a restart', async () => {
  const client = heddle.newClient()
  const person = { name: 'Ann', email: 'ann@example.com', password: 'Correct-horse-9-staple' }
  await heddle.database.run(sql`insert into __drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`)
  const ready = await heddle.fetch('/api/v1/ready')
  expect(await ready.json()).toMatchObject({ checks: { database: 'ok', migrations: 'failed' } })
  const refused = await call(client, 'POST', '/account/register', person)
  expect(refused).toMatchObject({
    status: 503,
    body: { message: 'Heddle is being upgraded. Nothing was changed. Try again in a minute.' },
  })
  await heddle.database.run(sql`delete from __drizzle_migrations where hash = 'newer'`)
  expect(await call(client, 'POST', '/account/register', person)).toMatchObject({ status: 200 })
})
