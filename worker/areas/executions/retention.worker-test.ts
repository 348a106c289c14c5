// @defends anonymous-records
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { deleteOldRuns } from './retention.ts'

let heddle: TestHeddle
let ann: TestClient

const OLD = '2026-01-01T00:00:00.000Z'
const NEW = '2026-03-30T00:00:00.000Z'
const NOW = new Date('2026-04-10T09:00:00Z')

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  const workspace = sql`(select id from workspaces)`
  await heddle.database.run(sql`
    insert into chatflows (id, workspace_id, name, flow_data, type, created_date, updated_date)
    values ('flow', ${workspace}, 'Flow', '{}', 'AGENTFLOW', ${OLD}, ${OLD})`)
})
afterAll(() => heddle.close())

interface Run {
  state?: string
  created?: string
  updated?: string
  starred?: number
  parent?: string
}

/** A run with a step and a message. */
async function addRun(
  id: string,
  { state = 'FINISHED', created = OLD, updated = created, starred = 0, parent }: Run = {},
) {
  const workspace = sql`(select id from workspaces)`
  await heddle.database.run(sql`
    insert into executions (id, workspace_id, agentflow_id, flow_version, session_id, chat_id, state, input, is_starred,
      parent_execution_id, created_date, updated_date)
    values (${id}, ${workspace}, 'flow', 1, 's', 's', ${state}, '{}', ${starred}, ${parent ?? null}, ${created}, ${updated})`)
  await heddle.database.run(sql`
    insert into execution_steps (execution_id, seq, path, node_id, item, started_at, finished_at)
    values (${id}, 1, 'a', 'a', '{}', ${created}, ${created})`)
  await heddle.database.run(sql`
    insert into chat_messages (id, workspace_id, chatflowid, role, content, execution_id, chat_type, chat_id, session_id, created_date)
    values (${id}, ${workspace}, 'flow', 'userMessage', 'q', ${id}, 'EXTERNAL', 's', 's', ${created})`)
}

const kept = async () => {
  const ids = async (query: ReturnType<typeof sql>) =>
    (await heddle.database.all<{ id: string }>(query)).map(({ id }) => id)
  const runs = await ids(sql`select id from executions order by id`)
  expect(await ids(sql`select execution_id as id from execution_steps order by 1`)).toEqual(runs)
  expect(await ids(sql`select id from chat_messages order by id`)).toEqual(runs)
  return runs
}

it('deletes old runs with their steps and messages, and none that is new, starred, waits, or is read by one that waits', async () => {
  await addRun('old')
  await addRun('failed', { state: 'ERROR' })
  await addRun('new', { created: NEW })
  await addRun('ended late', { updated: NEW })
  await addRun('starred', { starred: 1 })
  await addRun('waits', { state: 'STOPPED' })
  await addRun('works', { state: 'INPROGRESS', updated: NEW })
  await addRun('called', { parent: 'waits' })
  await heddle.scheduled(NOW)
  expect(await kept()).toEqual(['called', 'ended late', 'new', 'starred', 'waits', 'works'])
})

it('keeps runs for as long as the workspace says', async () => {
  expect((await call(ann, 'GET', '/workspace/retention')).body).toEqual({ keepDays: 90 })
  await addRun('old')
  expect((await call(ann, 'PUT', '/workspace/retention', { keepDays: null })).body).toEqual({ keepDays: null })
  await heddle.scheduled(NOW)
  expect(await kept()).toContain('old')
  expect((await call(ann, 'PUT', '/workspace/retention', { keepDays: 5 })).body).toEqual({ keepDays: 5 })
  expect((await call(ann, 'GET', '/workspace/retention')).body).toEqual({ keepDays: 5 })
  await heddle.scheduled(NOW)
  expect(await kept()).not.toContain('new')
  expect((await call(ann, 'PUT', '/workspace/retention', { keepDays: 0 })).body).toMatchObject({ field: 'keepDays' })
})

/** The statements that the minute job sends. */
async function statementsSent(): Promise<string[]> {
  const texts: string[] = []
  const fetch = (_: string, init: RequestInit): Promise<Response> => {
    const body = String(init.body)
    for (const [, text] of body.matchAll(/"sql":("(?:[^"\\]|\\.)*")/g)) texts.push(JSON.parse(text as string))
    return Promise.reject(new Error('only looks'))
  }
  const db = openDatabase('http://database.test', undefined, { fetch })
  await expect(deleteOldRuns({ db, config: { platformType: 'cloud' } as never }, NOW)).rejects.toThrow()
  return texts.filter((text) => text.startsWith('delete'))
}

it('finds what is old along an index of the workspace and the date, and sorts nothing', async () => {
  const statements = await statementsSent()
  const ofRuns = Array.from({ length: 3 }, () => 'executions_workspace')
  expect(statements).toHaveLength(4)
  for (const [at, index] of [...ofRuns, 'chat_messages_workspace'].entries()) {
    const text = (statements[at] as string).replaceAll('?', "'1'")
    const plan = await heddle.database.all<{ detail: string }>(sql.raw(`explain query plan ${text}`))
    const details = plan.map(({ detail }) => detail)
    const search = new RegExp(
      `^SEARCH old USING (COVERING )?INDEX ${index} \\(workspace_id=\\? AND created_date<\\?\\)$`,
    )
    expect(details).toContainEqual(expect.stringMatching(search))
    expect(details.filter((detail) => /^SCAN (?!keeper|workspaces)|TEMP B-TREE/.test(detail))).toEqual([])
  }
})
