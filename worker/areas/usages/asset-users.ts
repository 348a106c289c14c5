/** Reads who uses an asset. */
import { and, count, eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { type AssetKind, MAX_LISTED_USERS, type Usages, type UsagesQuery } from '#contract/usages/usages.ts'
import type { Database } from '#db/client.ts'
import { assetUsages, assistants, chatflows, documentStores, mcpServers, tools } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'

/**
 * Returns a column for a list of assets: how many use each of them.
 * @param asset the column that names the asset
 */
export function usageCount(
  db: Database,
  tenant: Tenant,
  { kind, asset }: { kind: AssetKind | SQLWrapper; asset: SQLWrapper },
) {
  const isUser = and(eq(assetUsages.assetKind, kind), sql`${assetUsages.asset} = ${asset}`)
  return sql<number>`(${db.select({ count: count() }).from(assetUsages).where(scope(db, tenant).inWorkspace(assetUsages, isUser))})`.as(
    'usage_count',
  )
}

interface UsageViewer {
  /** The types of flows that the viewer may view. */
  types: FlowType[]
  assistants: boolean
  /** Tools and MCP servers. */
  tools: boolean
  documentStores: boolean
}

/** Users that the viewer may not view are only counted. */
export async function readUsages(
  db: Database,
  tenant: Tenant,
  { kind, asset, viewer }: UsagesQuery & { viewer: UsageViewer },
): Promise<Usages> {
  const rows = scope(db, tenant)
  const isUser = and(eq(assetUsages.assetKind, kind), eq(assetUsages.asset, asset))
  const ownedBy = (owner: 'flow' | 'assistant' | 'tool' | 'mcpServer' | 'documentStore', id: SQLWrapper) =>
    and(eq(assetUsages.ownerKind, owner), sql`${assetUsages.ownerId} = ${id}`)
  const name = sql<
    string | null
  >`coalesce(${chatflows.name}, ${assistants.details} ->> 'name', ${tools.name}, ${mcpServers.name}, ${documentStores.name})`
  const [data, [total]] = await db.batch([
    db
      .select({ kind: assetUsages.ownerKind, id: assetUsages.ownerId, name: name.as('name'), type: chatflows.type })
      .from(assetUsages)
      .leftJoin(chatflows, and(ownedBy('flow', chatflows.id), rows.foundInWorkspace(chatflows, visibleFlows(viewer))))
      .leftJoin(
        assistants,
        and(ownedBy('assistant', assistants.id), rows.foundInWorkspace(assistants, sql`${viewer.assistants}`)),
      )
      .leftJoin(tools, and(ownedBy('tool', tools.id), rows.foundInWorkspace(tools, sql`${viewer.tools}`)))
      .leftJoin(
        mcpServers,
        and(ownedBy('mcpServer', mcpServers.id), rows.foundInWorkspace(mcpServers, sql`${viewer.tools}`)),
      )
      .leftJoin(
        documentStores,
        and(
          ownedBy('documentStore', documentStores.id),
          rows.foundInWorkspace(documentStores, sql`${viewer.documentStores}`),
        ),
      )
      .where(rows.inWorkspace(assetUsages, and(isUser, sql`${name} is not null`)))
      .orderBy(sql`name collate nocase`, assetUsages.id)
      .limit(MAX_LISTED_USERS),
    rows.count(assetUsages, isUser),
  ])
  return { data: data.map((user) => ({ ...user, name: user.name ?? '' })), total: total?.count ?? 0 }
}

const visibleFlows = ({ types }: UsageViewer): SQL => (types.length > 0 ? inArray(chatflows.type, types) : sql`false`)
