/** MCP servers of one workspace. Headers are encrypted at rest and only runs and checks read them. */
import { desc, eq, getTableColumns } from 'drizzle-orm'
import type * as z from 'zod'
import { BLANK_SECRET } from '#contract/credentials.ts'
import { HeddleError } from '#contract/errors.ts'
import type { PageQuery } from '#contract/schemas/page.ts'
import type { createMcpServerSchema, McpServer, updateMcpServerSchema } from '#contract/tools/mcp-servers.ts'
import { mcpServers, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { openMcpHeaders } from '../../components/own-tools.ts'
import type { Services } from '../../services.ts'
import { usageCount } from '../usages/index.ts'

type Store = Pick<Services, 'db' | 'cipher' | 'clock'>
type Row = typeof mcpServers.$inferSelect
type Headers = Record<string, string>

/** Sorted by latest update. With page and limit, returns one page and the total. */
export async function listMcpServers({ db }: Store, tenant: Tenant, { page, limit }: PageQuery) {
  const rows = scope(db, tenant)
  const list = db
    .select({
      ...getTableColumns(mcpServers),
      usageCount: usageCount(db, tenant, { kind: 'mcpServer', asset: mcpServers.id }),
    })
    .from(mcpServers)
    .where(rows.inWorkspace(mcpServers))
    .orderBy(desc(mcpServers.updatedDate), desc(mcpServers.id))
  const listed = (row: Row & { usageCount: number }) => ({ ...answered(row), usageCount: row.usageCount })
  if (!page || !limit) return (await list).map(listed)
  const [data, [total]] = await db.batch([list.limit(limit).offset((page - 1) * limit), rows.count(mcpServers)])
  return { data: data.map(listed), total: total?.count ?? 0 }
}

export async function readMcpServer(store: Store, tenant: Tenant, id: string): Promise<McpServer> {
  const { row, headers } = await openMcpServer(store, tenant, id)
  return answered(row, headers)
}

export async function createMcpServer(
  store: Store,
  tenant: Tenant,
  { authConfig, ...values }: z.infer<typeof createMcpServerSchema>,
): Promise<McpServer> {
  const now = store.clock.now().toISOString()
  const headers = values.authType === 'CUSTOM_HEADERS' ? merged({}, authConfig?.headers ?? {}) : {}
  const [workspace] = await keyQuery(store.db, tenant)
  const row = {
    ...values,
    id: crypto.randomUUID(),
    encryptedAuth: await seal(store, { wrappedKey: requireKey(workspace), headers }),
    status: 'PENDING' as const,
    statusReason: null,
    tools: null,
    toolCount: 0,
    checkedDate: null,
    createdDate: now,
    updatedDate: now,
  }
  await scope(store.db, tenant).insert(mcpServers, row)
  return answered({ ...row, workspaceId: tenant.workspaceId }, headers)
}

/** A server with another address or other headers is to be checked again. */
export async function updateMcpServer(
  store: Store,
  tenant: Tenant,
  { id, values }: { id: string; values: z.infer<typeof updateMcpServerSchema> },
): Promise<McpServer> {
  const { row, headers: stored, wrappedKey } = await openMcpServer(store, tenant, id)
  const { authConfig, ...fields } = values
  const { authType = row.authType, serverUrl = row.serverUrl } = fields
  // Stored headers belong to the server that they were entered for.
  const moved = originOf(serverUrl) !== originOf(row.serverUrl)
  const kept = moved ? {} : stored
  const headers = authType === 'CUSTOM_HEADERS' ? merged(kept, authConfig?.headers ?? blank(kept)) : {}
  const isOther = serverUrl !== row.serverUrl || JSON.stringify(headers) !== JSON.stringify(stored)
  const changed = {
    ...fields,
    encryptedAuth: await seal(store, { wrappedKey, headers }),
    updatedDate: store.clock.now().toISOString(),
    ...(isOther && { status: 'PENDING' as const, statusReason: null, tools: null, toolCount: 0, checkedDate: null }),
  }
  await scope(store.db, tenant).update(mcpServers, eq(mcpServers.id, id), changed)
  return answered({ ...row, ...changed } as Row, headers)
}

export async function deleteMcpServer({ db }: Store, tenant: Tenant, id: string) {
  const deleted = await scope(db, tenant).delete(mcpServers, eq(mcpServers.id, id)).returning({ id: mcpServers.id })
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

/** Returns the row with its decrypted headers. */
export async function openMcpServer({ db, cipher }: Store, tenant: Tenant, id: string) {
  const [[found], [workspace]] = await db.batch([
    scope(db, tenant).select(mcpServers, eq(mcpServers.id, id)),
    keyQuery(db, tenant),
  ])
  if (!found) throw notFound(id)
  const row = found as Row
  const wrappedKey = requireKey(workspace)
  return { row, wrappedKey, headers: await openMcpHeaders(row, wrappedKey, cipher) }
}

/** Sent values replace stored ones; blanks keep them, and headers that are not sent are dropped. */
function merged(stored: Headers, sent: Headers): Headers {
  const entries = Object.entries(sent).map(([name, value]) => [name, value === BLANK_SECRET ? stored[name] : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
}

const blank = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, BLANK_SECRET]))

async function seal({ cipher }: Store, { wrappedKey, headers }: { wrappedKey: string; headers: Headers }) {
  return Object.keys(headers).length > 0 ? cipher.encrypt(wrappedKey, { headers }) : null
}

function keyQuery(db: Store['db'], { workspaceId }: Tenant) {
  return db.select({ wrappedKey: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, workspaceId))
}

function requireKey(workspace: { wrappedKey: string } | undefined): string {
  if (!workspace) throw new HeddleError('not_found', 'Workspace not found')
  return workspace.wrappedKey
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url)

type Answered = Omit<McpServer, 'authConfig'>

/** Lists the fields, so that encrypted data cannot slip into a response. */
function answered(row: Answered, headers?: Headers): McpServer {
  const { id, name, serverUrl, authType, color, iconSrc, status, statusReason, toolCount, checkedDate } = row
  const { createdDate, updatedDate, workspaceId } = row
  return {
    ...{ id, name, serverUrl, authType, color, iconSrc, status, statusReason, toolCount, checkedDate },
    ...{ createdDate, updatedDate, workspaceId },
    authConfig: headers && Object.keys(headers).length > 0 ? { headers: blank(headers) } : null,
  }
}

const notFound = (id: string) => new HeddleError('not_found', `MCP server ${id} not found`)
