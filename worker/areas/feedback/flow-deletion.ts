import { eq } from 'drizzle-orm'
import { chatMessageFeedback } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { FlowDeletion } from '../chatflows/index.ts'

export const flowDeletion: FlowDeletion = (db, tenant, flowId) => [
  scope(db, tenant).delete(chatMessageFeedback, eq(chatMessageFeedback.chatflowid, flowId)),
]
