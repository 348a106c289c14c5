/** What a trigger's page costs does not grow with what other triggers, and other workspaces, have. */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { triggerDeliveries } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { deadQuery } from './dead.ts'
import { figuresQuery, timesQuery } from './trigger-list.ts'

let heddle: TestHeddle
beforeAll(async () => {
  heddle = await startTestHeddle()
})
afterAll(() => heddle.close())

const rows = () => scope(heddle.database, { workspaceId: 'w' })
const ofOne = and(eq(triggerDeliveries.triggerId, 't'), sql`${triggerDeliveries.dueDate} >= '2026'`)
const ofPage = and(sql`${triggerDeliveries.triggerId} in (select 't')`, sql`${triggerDeliveries.dueDate} >= '2026'`)
const inWorkspace = (condition: SQL | undefined) => rows().inWorkspace(triggerDeliveries, condition)

it.each<[string, () => { getSQL(): SQL }]>([
  ['its deliveries', () => rows().select(triggerDeliveries, ofOne).orderBy(desc(triggerDeliveries.dueDate))],
  ['the number of them', () => rows().count(triggerDeliveries, ofOne)],
  ['its figures', () => figuresQuery(heddle.database, inWorkspace(ofPage))],
  ['its times', () => timesQuery(heddle.database, inWorkspace(ofPage))],
])('finds %s by trigger, workspace and time', async (_, query) => {
  const plan = await heddle.database.all<{ detail: string }>(sql`explain query plan ${query().getSQL()}`)
  const found = plan.map(({ detail }) => detail).filter((detail) => detail.includes('trigger_deliveries'))
  expect(found).toEqual([expect.stringMatching(/_trigger \(trigger_id=\? AND workspace_id=\? AND due_date>\?\)/)])
})

it('finds dead deliveries and their replays without scanning the others', async () => {
  const query = deadQuery(heddle.database, { workspaceId: 'w' }, undefined).limit(20)
  const plan = await heddle.database.all<{ detail: string }>(sql`explain query plan ${query.getSQL()}`)
  const found = plan.map(({ detail }) => detail).filter((detail) => /trigger_deliveries|again|B-TREE/.test(detail))
  expect(found).toEqual([
    expect.stringMatching(/_dead \(workspace_id=\?\)/),
    expect.stringMatching(/_replay \(workspace_id=\? AND replay_of=\?\)/),
  ])
})
