import { eq } from 'drizzle-orm'
import { upsertHistory, upsertJobs, upsertRecords } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { FlowDeletion } from '../chatflows/index.ts'

export const flowDeletion: FlowDeletion = (db, tenant, flowId) => [
  scope(db, tenant).delete(upsertHistory, eq(upsertHistory.chatflowid, flowId)),
  scope(db, tenant).delete(upsertJobs, eq(upsertJobs.chatflowid, flowId)),
  scope(db, tenant).delete(upsertRecords, eq(upsertRecords.chatflowid, flowId)),
]
