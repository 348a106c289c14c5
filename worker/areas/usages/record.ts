/** Writes which assets are used, in the batch that saves their user. */
import { and, eq, exists, not, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { findAssets, type UsedAsset } from '#contract/flow/assets/assets.ts'
import type { Database } from '#db/client.ts'
import { includesText } from '#db/long-text.ts'
import {
  assetUsages,
  assistants,
  chatflows,
  documentStores,
  flowVersions,
  mcpServers,
  tools,
  unindexedFlows,
} from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { FlowDeletion, FlowSave } from '../chatflows/index.ts'

const OWNERS = {
  flow: chatflows,
  assistant: assistants,
  tool: tools,
  mcpServer: mcpServers,
  documentStore: documentStores,
}

interface AssetOwner {
  kind: keyof typeof OWNERS
  id: string
}

interface Recording {
  owner: AssetOwner
  assets: readonly UsedAsset[]
  /** A condition on rows that stay although they are not among the assets. */
  keep?: SQL
  /** A condition on the owner's row. Nothing is written unless there is such a row. */
  where?: SQL
}

/** Returns the statements that replace what is recorded of an owner. They run after the one that saves the owner. */
export function recordUsages(
  db: Database,
  tenant: Tenant,
  { owner, assets, keep, where }: Recording,
): BatchItem<'sqlite'>[] {
  const rows = scope(db, tenant)
  const table = OWNERS[owner.kind]
  const isSaved = exists(
    db
      .select({ one: sql`1` })
      .from(table)
      .where(rows.inWorkspace(table, and(eq(table.id, owner.id), where))),
  )
  const used = JSON.stringify(assets.map(({ kind, asset }) => [idOf(owner, { kind, asset }), kind, asset]))
  const isGone = sql`${assetUsages.id} not in (select value ->> 0 from json_each(${used}))`
  const remove = rows.delete(assetUsages, and(isOf(owner), isGone, keep && not(keep), isSaved))
  if (assets.length === 0) return [remove]
  const add = db.run(sql`
    insert into ${assetUsages} (id, workspace_id, asset_kind, asset, owner_kind, owner_id)
    select value ->> 0, ${tenant.workspaceId}, value ->> 1, value ->> 2, ${owner.kind}, ${owner.id}
    from json_each(${used}) where ${isSaved}
    on conflict (id) do nothing`)
  return [remove, add]
}

/** Returns the statement that runs in the batch that deletes an owner. */
export const forgetUsages = (db: Database, tenant: Tenant, owner: AssetOwner) =>
  scope(db, tenant).delete(assetUsages, isOf(owner))

const isOf = ({ kind, id }: AssetOwner) => and(eq(assetUsages.ownerKind, kind), eq(assetUsages.ownerId, id))
const idOf = (owner: AssetOwner, { kind, asset }: UsedAsset) => `${owner.kind}:${owner.id}/${kind}:${asset}`

/** Records the assets of the draft. Those of the published version stay, because callers run it. */
export const flowSave: FlowSave = (db, tenant, { id, flowData }) =>
  recordUsages(db, tenant, {
    owner: { kind: 'flow', id },
    assets: findAssets(flowData.document),
    keep: isPublished(db, tenant, id),
    where: eq(chatflows.flowData, flowData.text),
  })

/** True if the published version contains the asset's id or name. */
const isPublished = (db: Database, tenant: Tenant, flowId: string) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(flowVersions)
      .innerJoin(chatflows, publishedVersion)
      .where(
        scope(db, tenant).inWorkspace(
          flowVersions,
          and(eq(flowVersions.flowId, flowId), includesText(flowVersions.flowData, assetUsages.asset)),
        ),
      ),
  )

/** Joins a flow with the version that it publishes. */
export const publishedVersion = and(
  eq(chatflows.id, flowVersions.flowId),
  eq(chatflows.publishedVersion, flowVersions.version),
)

export const flowDeletion: FlowDeletion = (db, tenant, flowId) => [
  forgetUsages(db, tenant, { kind: 'flow', id: flowId }),
  scope(db, tenant).delete(unindexedFlows, eq(unindexedFlows.id, flowId)),
]
