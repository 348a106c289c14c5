/** Records the usages of flows that were saved before usages were recorded. */
import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { chatflows, unindexedFlows } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { flowSave } from './record.ts'

/** Flows of one minute. */
const MAX_FLOWS = 50
/** Characters of flow data of one minute, not counting the last flow. */
const MAX_CHARACTERS = 2_000_000

/**
 * A flow that is saved meanwhile records its usages itself: then the statements for its older data write nothing. So
 * it may run twice or be interrupted.
 */
export async function indexFlows({ db }: Pick<Services, 'db'>): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job indexes flows of every workspace')
  const length = sql`length(${chatflows.flowData})`
  const oldest = all
    .select({
      id: unindexedFlows.id,
      workspaceId: unindexedFlows.workspaceId,
      text: chatflows.flowData,
      before: sql<number>`sum(${length}) over (order by ${unindexedFlows.id}) - ${length}`.as('before'),
    })
    .from(unindexedFlows)
    .leftJoin(chatflows, eq(chatflows.id, unindexedFlows.id))
    .where(
      inArray(
        unindexedFlows.id,
        all.select({ id: unindexedFlows.id }).from(unindexedFlows).orderBy(asc(unindexedFlows.id)).limit(MAX_FLOWS),
      ),
    )
    .as('oldest')
  const flows = await all
    .select({ id: oldest.id, workspaceId: oldest.workspaceId, text: oldest.text })
    .from(oldest)
    .where(sql`coalesce(${oldest.before}, 0) <= ${MAX_CHARACTERS}`)
  if (flows.length === 0) return
  const done = all.delete(unindexedFlows).where(
    inArray(
      unindexedFlows.id,
      flows.map(({ id }) => id),
    ),
  )
  const statements = flows.flatMap(({ id, workspaceId, text }): BatchItem<'sqlite'>[] => {
    const parsed = parseFlow(text ?? '')
    if (text === null || !parsed.ok) return []
    return flowSave(db, { workspaceId }, { id, flowData: { text, document: parsed.flow }, updatedDate: '' })
  })
  await db.batch([done, ...statements])
}
