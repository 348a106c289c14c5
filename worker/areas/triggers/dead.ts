/** Deliveries of the whole workspace that were given up. */
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { FlowType } from '#contract/chatflows.ts'
import type { DeadDelivery, DeadDeliveryList, ListDead } from '#contract/triggers/index.ts'
import type { Database } from '#db/client.ts'
import { chatflows, executions, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { beyond, listed, pageOf } from './deliveries.ts'

/** Newest first. */
export async function listDead(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  { limit, cursor, allowed }: ListDead & { allowed: FlowType[] },
): Promise<DeadDeliveryList> {
  const condition = and(inArray(chatflows.type, allowed), cursor ? beyond(cursor) : undefined)
  const rows = await deadQuery(db, tenant, condition).limit(limit + 1)
  return pageOf(rows.map(asDead), limit)
}

/** The literal of the state is what the index of these deliveries asks for: a parameter would not find it. */
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
  select json_object('id', again.id, 'state', again.state) from trigger_deliveries again
  where again.replay_of = ${triggerDeliveries.id} and again.workspace_id = ${triggerDeliveries.workspaceId}
  order by again.due_date desc, again.id desc limit 1
)`

type Row = Awaited<ReturnType<typeof deadQuery>>[number]

const asDead = ({ delivery, lastReplay: replay, ...of }: Row): DeadDelivery => ({
  ...delivery,
  ...of,
  lastReplay: replay === null ? null : JSON.parse(replay),
})
