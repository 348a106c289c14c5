import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ExecutionSummary } from '#contract/runs/executions.ts'
import { MAX_COUNTED } from '#contract/schemas/counted.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
let ann: TestClient

/** More flows than a search looks through one by one. */
const FLOWS = 1100
const RUNS = MAX_COUNTED + 50

beforeAll(async () => {
  heddle = await startTestHeddle()
  ann = await heddle.signUp()
  const numbers = (count: number) =>
    sql`with recursive n(i) as (values (0) union all select i + 1 from n where i + 1 < ${count})`
  const workspace = sql`(select id from workspaces)`
  await heddle.database.run(sql`
    insert into chatflows (id, workspace_id, name, flow_data, type, created_date, updated_date) ${numbers(FLOWS)}
    select 'flow ' || i, ${workspace}, 'Team ' || i, '{}', 'AGENTFLOW', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' from n`)
  await heddle.database.run(sql`
    insert into executions (id, workspace_id, agentflow_id, flow_version, session_id, chat_id, state, input, created_date, updated_date)
    ${numbers(RUNS)}
    select printf('run %05d', i), ${workspace}, 'flow ' || cast(i % ${FLOWS} as int), 1, 's', 's', 'FINISHED', '{}',
      strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', i || ' seconds'), '2026-01-01T00:00:00.000Z' from n`)
})
afterAll(() => heddle.close())

async function list(query: string): Promise<{ ids: number[]; total: number }> {
  const { body } = await call(ann, 'GET', `/executions?${query}`)
  return { ids: body.data.map(({ id }: ExecutionSummary) => Number(id.slice(4))), total: body.total }
}

it('counts so many runs, and to the next page where that is further', async () => {
  expect((await list('limit=20')).total).toBe(MAX_COUNTED)
  expect((await list(`limit=50&page=${MAX_COUNTED / 50}`)).total).toBe(MAX_COUNTED + 1)
  const last = await list(`limit=50&page=${MAX_COUNTED / 50 + 1}`)
  expect(last.total).toBe(RUNS)
  expect(last.ids.at(-1)).toBe(0)
})

it('finds the newest runs of a few flows, page by page', async () => {
  const runs = Array.from({ length: RUNS }, (_, back) => RUNS - 1 - back)
  for (const name of ['149', '14', '10']) {
    const found = runs.filter((run) => String(run % FLOWS).startsWith(name))
    const pages = [1, 2].map((page) => list(`agentflowName=team%20${name}&limit=3&page=${page}`))
    expect(await Promise.all(pages)).toEqual(
      [found.slice(0, 3), found.slice(3, 6)].map((ids) => ({ ids, total: found.length })),
    )
  }
})

it('finds the newest runs of many flows, page by page', async () => {
  const newest = Array.from({ length: 6 }, (_, back) => RUNS - 1 - back)
  expect(await list('agentflowName=team&limit=3')).toEqual({ ids: newest.slice(0, 3), total: MAX_COUNTED })
  expect((await list('agentflowName=team&limit=3&page=2')).ids).toEqual(newest.slice(3))
})

it('a page after the last one still says how many runs match', async () => {
  expect(await list('agentflowName=team%20149&limit=20&page=9')).toEqual({ ids: [], total: 10 })
  expect(await list('agentflowName=nobody&limit=20&page=9')).toEqual({ ids: [], total: 0 })
})
