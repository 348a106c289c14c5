import { eq, inArray } from 'drizzle-orm'
import { executionSteps, executions, runTexts } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { FlowDeletion } from '../chatflows/index.ts'

export const flowDeletion: FlowDeletion = (db, tenant, flowId) => {
  const rows = scope(db, tenant)
  const ofFlow = eq(executions.agentflowId, flowId)
  const ids = db.select({ id: executions.id }).from(executions).where(rows.inWorkspace(executions, ofFlow))
  return [
    db.delete(executionSteps).where(inArray(executionSteps.executionId, ids)),
    db.delete(runTexts).where(inArray(runTexts.executionId, ids)),
    rows.delete(executions, ofFlow),
  ]
}
