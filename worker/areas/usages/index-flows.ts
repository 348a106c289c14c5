/**
 * Records what flows use, draft and published version, and their summaries: of flows that were saved before these were
 * recorded, and of flows of which another version was published. Summaries of custom templates too.
 */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { findAssets, type UsedAsset } from '#contract/flow/assets/assets.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import type { Database } from '#db/client.ts'
import { byteLength } from '#db/long-text.ts'
import { chatflows, customTemplates, flowVersions, unindexedFlows } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, scope } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { summarizeFlow } from '../chatflows/index.ts'
import { publishedVersion, recordUsages } from './record.ts'

/** Flows of one minute. */
const MAX_FLOWS = 50
/** Characters of flow data of one minute, not counting the last flow. */
const MAX_CHARACTERS = 2_000_000

/** In place of one that cannot be read. */
const NO_DOCUMENT: FlowDocument = { nodes: [], edges: [] }

/**
 * A flow that is saved meanwhile records them itself: then the statements for its older data write nothing. So
 * it may run twice or be interrupted.
 */
export async function indexFlows({ db }: Pick<Services, 'db'>): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job indexes flows of every workspace')
  const length = sql`coalesce(${byteLength(chatflows.flowData)}, 0) + coalesce(${byteLength(flowVersions.flowData)}, 0) + coalesce(${byteLength(customTemplates.flowData)}, 0)`
  const oldest = all
    .select({
      id: unindexedFlows.id,
      workspaceId: unindexedFlows.workspaceId,
      text: chatflows.flowData,
      publishedText: sql<string | null>`${flowVersions.flowData}`.as('published_text'),
      templateText: sql<string | null>`${customTemplates.flowData}`.as('template_text'),
      before: sql<number>`sum(${length}) over (order by ${unindexedFlows.id}) - (${length})`.as('before'),
    })
    .from(unindexedFlows)
    .leftJoin(chatflows, eq(chatflows.id, unindexedFlows.id))
    .leftJoin(flowVersions, publishedVersion)
    .leftJoin(customTemplates, eq(customTemplates.id, unindexedFlows.id))
    .where(
      inArray(
        unindexedFlows.id,
        all
          .select({ id: unindexedFlows.id })
          .from(unindexedFlows)
          .where(isInUse(unindexedFlows.workspaceId))
          .orderBy(asc(unindexedFlows.id))
          .limit(MAX_FLOWS),
      ),
    )
    .as('oldest')
  const { id, workspaceId, text, publishedText, templateText } = oldest
  const flows = await all
    .select({ id, workspaceId, text, publishedText, templateText })
    .from(oldest)
    .where(sql`coalesce(${oldest.before}, 0) <= ${MAX_CHARACTERS}`)
  if (flows.length === 0) return
  const done = all.delete(unindexedFlows).where(
    inArray(
      unindexedFlows.id,
      flows.map((flow) => flow.id),
    ),
  )
  await db.batch([done, ...flows.flatMap((flow) => [...flowStatements(db, flow), ...templateStatements(db, flow)])])
}

interface Unindexed {
  id: string
  workspaceId: string
  text: string | null
  publishedText: string | null
  templateText: string | null
}

function flowStatements(db: Database, { id, workspaceId, text, publishedText }: Unindexed): BatchItem<'sqlite'>[] {
  if (text === null) return []
  const where = eq(chatflows.flowData, text)
  const tenant = { workspaceId }
  const summarize = (flow: FlowDocument) =>
    scope(db, tenant).update(chatflows, and(eq(chatflows.id, id), where), { summary: summarizeFlow(flow) })
  const parsed = parseFlow(text)
  if (!parsed.ok) return [summarize(NO_DOCUMENT)]
  const published = publishedText === text ? [] : assetsOfText(publishedText ?? '')
  const assets = [...findAssets(parsed.flow), ...published]
  return [summarize(parsed.flow), ...recordUsages(db, tenant, { owner: { kind: 'flow', id }, assets, where })]
}

function templateStatements(db: Database, { id, workspaceId, templateText }: Unindexed): BatchItem<'sqlite'>[] {
  if (templateText === null) return []
  const parsed = parseFlow(templateText)
  const isSame = and(eq(customTemplates.id, id), eq(customTemplates.flowData, templateText))
  const summary = summarizeFlow(parsed.ok ? parsed.flow : NO_DOCUMENT)
  return [scope(db, { workspaceId }).update(customTemplates, isSame, { summary })]
}

function assetsOfText(text: string): UsedAsset[] {
  const parsed = parseFlow(text)
  return parsed.ok ? findAssets(parsed.flow) : []
}
