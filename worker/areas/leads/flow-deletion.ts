import { eq } from 'drizzle-orm'
import { leads } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { FlowDeletion } from '../chatflows/index.ts'

export const flowDeletion: FlowDeletion = (db, tenant, flowId) => [
  scope(db, tenant).delete(leads, eq(leads.chatflowid, flowId)),
]
