/** Deletes a flow together with the rows that every area keeps of it. */
import { eq } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import * as z from 'zod'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { deletedSchema } from '#contract/schemas/responses.ts'
import type { Database } from '#db/client.ts'
import { chatflows, flowSources, flowVersions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { type Audited, withAudit } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { allowedTypes, assertAllowed, flowAccess } from './access.ts'
import { readFlowHead, type Store } from './store.ts'

/** Returns the statements that delete an area's rows of a flow. They run in the batch that deletes the flow. */
export type FlowDeletion = (db: Database, tenant: Tenant, flowId: string) => BatchItem<'sqlite'>[]

/** @param deletions one of each area that keeps rows of flows; they run in this order */
export const deletionRoutes = (deletions: readonly FlowDeletion[]): Route[] => [
  route({
    method: 'DELETE',
    path: '/chatflows/:id',
    summary: 'Delete a flow',
    audit: 'flow.delete',
    answer: deletedSchema,
    access: flowAccess('delete'),
    params: z.object({ id: z.string().max(100) }),
    async handle({ params: { id }, actor, services, context }) {
      const allowed = allowedTypes(actor, services.config, 'delete')
      return deleteFlow(withAudit(context, memberOf(actor)), memberOf(actor), { id, allowed, deletions })
    },
  }),
]

interface Deletion {
  id: string
  allowed: FlowType[]
  deletions: readonly FlowDeletion[]
}

/** Throws `not_found`, or `forbidden` for a flow of a type that is not allowed. */
export async function deleteFlow(store: Store & Audited, tenant: Tenant, { id, allowed, deletions }: Deletion) {
  const { db } = store
  const rows = scope(db, tenant)
  assertAllowed((await readFlowHead(store, tenant, id)).type, allowed)
  const isNamed = eq(chatflows.id, id)
  const target = { id, name: chatflows.name, of: chatflows, where: rows.inWorkspace(chatflows, isNamed) }
  const statements = [
    store.audit({ event: 'flow.delete', target }),
    ...deletions.flatMap((deletion) => deletion(db, tenant, id)),
    rows.delete(chatflows, isNamed).returning({ id: chatflows.id }),
  ]
  const results = await db.batch(statements as [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]])
  const deleted = results.at(-1) as { id: string }[]
  return { raw: [], affected: deleted.length }
}

export const flowDeletion: FlowDeletion = (db, tenant, flowId) => [
  scope(db, tenant).delete(flowSources, eq(flowSources.flowId, flowId)),
  scope(db, tenant).delete(flowVersions, eq(flowVersions.flowId, flowId)),
]
