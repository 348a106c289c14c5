/** History of the upserts of flows, newest first. */
import { and, asc, desc, eq, gte, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { tryParseJson } from '#contract/data/json.ts'
import type { listUpsertHistorySchema } from '#contract/document-stores/upsert.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { upsertedPart } from '#contract/flow/kinds/chatflow/upsert.ts'
import type { FlowUpsert, FlowUpsertHistory } from '#contract/upserts/upserts.ts'
import { chatflows, upsertHistory } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import type { Services } from '../../services.ts'
import { describeNodes } from './describe-nodes.ts'

type Reading = Pick<Services, 'db'>

/** Number of upserts kept per flow. */
const MAX_UPSERTS = 200

type Listing = z.infer<typeof listUpsertHistorySchema> & { flowId: string }

export async function listFlowHistory(
  { db }: Reading,
  tenant: Tenant,
  { flowId, order = 'DESC', startDate, endDate }: Listing,
): Promise<FlowUpsertHistory[]> {
  const { chatflowid, date, id } = upsertHistory
  const condition = and(
    eq(chatflowid, flowId),
    startDate === undefined ? undefined : gte(date, startDate),
    endDate === undefined ? undefined : lte(date, endDate),
  )
  const by = order === 'ASC' ? asc : desc
  const rows = await scope(db, tenant).select(upsertHistory, condition).orderBy(by(date), by(id)).limit(MAX_UPSERTS)
  return (rows as (typeof upsertHistory.$inferSelect)[]).map(({ workspaceId: _, ...row }) => {
    const nodes = tryParseJson(row.flowData)
    return { ...row, result: JSON.parse(row.result), flowData: Array.isArray(nodes) ? nodes : [] }
  })
}

/** Returns the statements that keep an upsert, and let the oldest go. */
export function historyStatements(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { flow, document }: Pick<RunContext, 'flow' | 'document'>,
  { storeId, result: { addedDocs: _, ...counts } }: { storeId: string; result: FlowUpsert },
) {
  const rows = scope(db, flow)
  const ofFlow = eq(upsertHistory.chatflowid, flow.id)
  const newest = db
    .select({ id: upsertHistory.id })
    .from(upsertHistory)
    .where(rows.inWorkspace(upsertHistory, ofFlow))
    .orderBy(desc(upsertHistory.date), desc(upsertHistory.id))
    .limit(MAX_UPSERTS)
  return [
    rows.insert(upsertHistory, {
      id: crypto.randomUUID(),
      chatflowid: flow.id,
      result: JSON.stringify(counts),
      flowData: JSON.stringify(describeNodes(upsertedPart(document, storeId))),
      date: clock.now().toISOString(),
    }),
    rows.delete(upsertHistory, and(ofFlow, notInArray(upsertHistory.id, newest))),
  ]
}

/** Returns how many entries were deleted. @param allowed types of flows whose history the caller may change */
export async function deleteFlowHistory(
  { db }: Reading,
  tenant: Tenant,
  { ids, allowed }: { ids: string[]; allowed: FlowType[] },
): Promise<number> {
  const rows = scope(db, tenant)
  const flows = db
    .select({ id: chatflows.id })
    .from(chatflows)
    .where(rows.inWorkspace(chatflows, inArray(chatflows.type, allowed)))
  const listed = sql`${upsertHistory.id} in (select value from json_each(${JSON.stringify(ids)}))`
  const deleted = await rows
    .delete(upsertHistory, and(listed, inArray(upsertHistory.chatflowid, flows)))
    .returning({ id: upsertHistory.id })
  return deleted.length
}
