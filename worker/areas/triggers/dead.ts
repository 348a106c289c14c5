/** Dead deliveries of the whole workspace. */
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { DeadDelivery, DeadDeliveryList, ListDead } from '#contract/triggers/index.ts'
import type { Database } from '#db/client.ts'
import { chatflows, executions, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { afterCursor, listed, pageOf } from './deliveries.ts'

/** Newest first. */
export async function listDead(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  { limit, cursor, allowed }: ListDead & { allowed: FlowType[] },
): Promise<DeadDeliveryList> {
  const condition = and(inArray(chatflows.type, allowed), cursor ? afterCursor(cursor) : undefined)
  const rows = await deadQuery(db, tenant, condition).limit(limit + 1)
  return pageOf(rows.map(asDead), limit)
}

/** The state is a literal, because the partial index does not match a parameter. */
export function deadQuery(db: Database, tenant: Tenant, condition: SQL | undefined) {
  const isDead = sql`${triggerDeliveries.state} = 'dead'`
  return db
    .select({
      delivery: listed,
      trigger: { id: triggers.id, name: triggers.name, kind: triggers.kind },
      flow: { id: chatflows.id, name: chatflows.name, type: chatflows.type },
      lastReplay,
    })
    .from(triggerDeliveries)
    .innerJoin(triggers, eq(triggers.id, triggerDeliveries.triggerId))
    .innerJoin(chatflows, eq(chatflows.id, triggerDeliveries.flowId))
    .leftJoin(executions, eq(executions.id, triggerDeliveries.executionId))
    .where(scope(db, tenant).inWorkspace(triggerDeliveries, and(isDead, condition)))
    .orderBy(desc(triggerDeliveries.dueDate), desc(triggerDeliveries.id))
}

const lastReplay = sql<string | null>`(
  select json_object('id', replay.id, 'state', replay.state) from trigger_deliveries replay
  where replay.replay_of = ${triggerDeliveries.id} and replay.workspace_id = ${triggerDeliveries.workspaceId}
  order by replay.due_date desc, replay.id desc limit 1
)`

type Row = Awaited<ReturnType<typeof deadQuery>>[number]

const asDead = ({ delivery, lastReplay: replay, ...of }: Row): DeadDelivery => ({
  ...delivery,
  ...of,
  lastReplay: replay === null ? null : JSON.parse(replay),
})
