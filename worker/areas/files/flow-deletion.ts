import { eq } from 'drizzle-orm'
import { files } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { FlowDeletion } from '../chatflows/index.ts'

export const flowDeletion: FlowDeletion = (db, tenant, flowId) => [
  scope(db, tenant).delete(files, eq(files.chatflowid, flowId)),
]
