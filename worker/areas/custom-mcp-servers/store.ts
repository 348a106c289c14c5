/** MCP servers of one workspace. Headers and tokens are encrypted at rest and only runs and checks read them. */
import { and, desc, eq, getTableColumns, isNull } from 'drizzle-orm'
import type * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import type { PageQuery } from '#contract/schemas/page.ts'
import type { createMcpServerSchema, McpServer, updateMcpServerSchema } from '#contract/tools/mcp-servers.ts'
import { mcpServers, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { variablesIn } from '../../components/mcp-headers.ts'
import { type McpAuth, type McpServerRow, mcpConnectionOf, openMcpAuth } from '../../oauth/mcp/server-tokens.ts'
import type { Services } from '../../services.ts'
import { forgetUsages, recordUsages, usageCount } from '../usages/index.ts'
import { changedAuth, forgetTokens, maskedAuth } from './auth-fields.ts'

type Store = Pick<Services, 'db' | 'cipher' | 'clock'>
type Draft = z.infer<typeof createMcpServerSchema>
type Change = z.infer<typeof updateMcpServerSchema>

/** Sorted by latest update. With page and limit, returns one page and the total. */
export async function listMcpServers({ db, cipher }: Store, tenant: Tenant, { page, limit }: PageQuery) {
  const rows = scope(db, tenant)
  const list = db
    .select({
      ...getTableColumns(mcpServers),
      usageCount: usageCount(db, tenant, { kind: 'mcpServer', asset: mcpServers.id }),
    })
    .from(mcpServers)
    .where(rows.inWorkspace(mcpServers))
    .orderBy(desc(mcpServers.updatedDate), desc(mcpServers.id))
  const some = page && limit ? list.limit(limit).offset((page - 1) * limit) : list
  const [found, [total], [workspace]] = await db.batch([some, rows.count(mcpServers), keyQuery(db, tenant)])
  const wrappedKey = requireKey(workspace)
  const data = await Promise.all(
    found.map(async ({ usageCount, ...row }) => {
      // One that cannot be decrypted cannot be used either.
      const unreadable: McpAuth = { refused: 'unreadable' }
      const auth =
        row.authType === 'OAUTH' ? await openMcpAuth({ cipher, wrappedKey }, row).catch(() => unreadable) : {}
      return { ...toMcpServer(row, auth), authConfig: null, usageCount }
    }),
  )
  return page && limit ? { data, total: total?.count ?? 0 } : data
}

export async function readMcpServer(store: Store, tenant: Tenant, id: string): Promise<McpServer> {
  const { row, auth } = await openMcpServer(store, tenant, id)
  return toMcpServer(row, auth)
}

export async function createMcpServer(
  { db, cipher, clock }: Store,
  tenant: Tenant,
  { authConfig, ...values }: Draft,
): Promise<McpServer> {
  const now = clock.now().toISOString()
  const auth = changedAuth({}, values.authType, authConfig)
  const [workspace] = await keyQuery(db, tenant)
  const row = {
    ...values,
    id: crypto.randomUUID(),
    encryptedAuth: await seal(cipher, requireKey(workspace), auth),
    expiresDate: null,
    refreshLease: null,
    ...UNCHECKED,
    createdDate: now,
    updatedDate: now,
  }
  const { id } = row
  await db.batch([scope(db, tenant).insert(mcpServers, row), ...headerUsages(db, tenant, { id, auth })])
  return toMcpServer({ ...row, workspaceId: tenant.workspaceId }, auth)
}

const UNCHECKED = { status: 'PENDING' as const, statusReason: null, tools: null, toolCount: 0, checkedDate: null }

/** Writes of others in between, such as refreshed tokens, are merged. */
const MAX_WRITES = 5

/** A server with another address or other headers is to be checked again. */
export async function updateMcpServer(
  store: Store,
  tenant: Tenant,
  { id, values }: { id: string; values: Change },
): Promise<McpServer> {
  for (let written = 0; written < MAX_WRITES; written++) {
    const updated = await tryUpdate(store, tenant, { id, values })
    if (updated) return updated
  }
  throw new HeddleError('conflict', 'The MCP server was changed too often at once. Save it again.')
}

/** Returns undefined when somebody else has written in between. */
async function tryUpdate(
  { db, cipher, clock }: Store,
  tenant: Tenant,
  { id, values }: { id: string; values: Change },
): Promise<McpServer | undefined> {
  const { row, auth: stored, wrappedKey } = await openMcpServer({ db, cipher }, tenant, id)
  const { authConfig, ...fields } = values
  const { authType = row.authType, serverUrl = row.serverUrl } = fields
  // Stored secrets belong to the server that they were entered for.
  const moved = originOf(serverUrl) !== originOf(row.serverUrl)
  const auth = changedAuth(moved ? {} : stored, authType, authConfig)
  // Tokens are for one address.
  if (serverUrl !== row.serverUrl) forgetTokens(auth)
  const isOther = serverUrl !== row.serverUrl || JSON.stringify(auth) !== JSON.stringify(stored)
  const changed = {
    ...fields,
    ...(isOther && { encryptedAuth: await seal(cipher, wrappedKey, auth), ...UNCHECKED }),
    ...(!auth.access_token && { expiresDate: null }),
    updatedDate: clock.now().toISOString(),
  }
  const { encryptedAuth } = row
  const isAsRead =
    encryptedAuth === null ? isNull(mcpServers.encryptedAuth) : eq(mcpServers.encryptedAuth, encryptedAuth)
  const [updated] = await db.batch([
    scope(db, tenant)
      .update(mcpServers, and(eq(mcpServers.id, id), isAsRead), changed)
      .returning({ id: mcpServers.id }),
    ...headerUsages(db, tenant, { id, auth }),
  ])
  return updated.length > 0 ? toMcpServer({ ...row, ...changed }, auth) : undefined
}

export async function deleteMcpServer({ db }: Store, tenant: Tenant, id: string) {
  const [deleted] = await db.batch([
    scope(db, tenant).delete(mcpServers, eq(mcpServers.id, id)).returning({ id: mcpServers.id }),
    forgetUsages(db, tenant, { kind: 'mcpServer', id }),
  ])
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

/** Returns the row with what is encrypted of it. */
export async function openMcpServer({ db, cipher }: Omit<Store, 'clock'>, tenant: Tenant, id: string) {
  const [[found], [workspace]] = await db.batch([
    scope(db, tenant).select(mcpServers, eq(mcpServers.id, id)),
    keyQuery(db, tenant),
  ])
  if (!found) throw notFound(id)
  const row = found as McpServerRow
  const wrappedKey = requireKey(workspace)
  return { row, wrappedKey, auth: await openMcpAuth({ cipher, wrappedKey }, row) }
}

/** Records the variables that headers name. */
function headerUsages(db: Store['db'], tenant: Tenant, { id, auth }: { id: string; auth: McpAuth }) {
  const assets = variablesIn(auth.headers ?? {}).map((asset) => ({ kind: 'variable' as const, asset }))
  return recordUsages(db, tenant, { owner: { kind: 'mcpServer', id }, assets })
}

async function seal(cipher: Store['cipher'], wrappedKey: string, auth: McpAuth): Promise<string | null> {
  return Object.keys(auth).length > 0 ? cipher.encrypt(wrappedKey, { ...auth }) : null
}

function keyQuery(db: Store['db'], { workspaceId }: Tenant) {
  return db.select({ wrappedKey: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, workspaceId))
}

function requireKey(workspace: { wrappedKey: string } | undefined): string {
  if (!workspace) throw new HeddleError('not_found', 'Workspace not found')
  return workspace.wrappedKey
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url)

type PublicServerRow = Omit<McpServer, 'authConfig' | 'connection'>

/** Lists the fields, so that encrypted data cannot slip into a response. */
function toMcpServer(row: PublicServerRow, auth: McpAuth): McpServer {
  const { id, name, serverUrl, authType, color, iconSrc, status, statusReason, toolCount, checkedDate } = row
  const { createdDate, updatedDate, workspaceId } = row
  return {
    ...{ id, name, serverUrl, authType, color, iconSrc, status, statusReason, toolCount, checkedDate },
    ...{ createdDate, updatedDate, workspaceId },
    authConfig: maskedAuth(auth),
    ...(authType === 'OAUTH' && { connection: mcpConnectionOf(row, auth) }),
  }
}

const notFound = (id: string) => new HeddleError('not_found', `MCP server ${id} not found`)
