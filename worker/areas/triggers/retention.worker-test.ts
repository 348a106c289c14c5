import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle

/** The first has so many deliveries, the others have one. */
const TRIGGERS = 250
const MANY = 2500

beforeAll(async () => {
  heddle = await startTestHeddle()
  await heddle.signUp()
  const workspace = sql`(select id from workspaces)`
  const numbers = (count: number) =>
    sql`with recursive n(i) as (values (0) union all select i + 1 from n where i + 1 < ${count})`
  await heddle.database.run(sql`
    insert into chatflows (id, workspace_id, name, flow_data, type, created_date, updated_date)
    values ('flow', ${workspace}, 'Flow', '{}', 'AGENTFLOW', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`)
  await heddle.database.run(sql`
    insert into triggers (id, workspace_id, flow_id, node_id, name, kind, settings, operations, state, created_date, updated_date)
    ${numbers(TRIGGERS)}
    select 'trigger ' || i, ${workspace}, 'flow', 'node ' || i, 'Nightly', 'schedule', '{}', '{"keepDays":1}', 'paused',
      '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' from n`)
  await heddle.database.run(sql`
    insert into trigger_deliveries (id, workspace_id, trigger_id, flow_id, source, state, due_date)
    ${numbers(TRIGGERS + MANY)}
    select 'delivery ' || i, ${workspace}, 'trigger ' || cast(max(0, i - ${MANY}) as int), 'flow', 'schedule', 'succeeded',
      '2026-01-01T09:00:00.000Z' from n`)
})
afterAll(() => heddle.close())

async function triggersWithDeliveries(): Promise<number> {
  const [row] = await heddle.database.all<{ count: number }>(
    sql`select count(distinct trigger_id) as count from trigger_deliveries`,
  )
  return row?.count ?? 0
}

it('looks at about a hundred triggers a minute, and deletes all that they no longer keep', async () => {
  const left: number[] = []
  for (const minute of ['00', '01', '02']) {
    await heddle.scheduled(new Date(`2026-02-01T09:${minute}:00Z`))
    left.push(await triggersWithDeliveries())
  }
  expect(left[0]).toBeGreaterThan(120)
  expect(left[1]).toBeLessThan(left[0] as number)
  expect(left[2]).toBe(0)
})
