/** The tools and MCP servers that a workspace added itself, read when a component asks for one. */
import { asc, eq } from 'drizzle-orm'
import { type ProviderType, readProviderDetails } from '#contract/assistants/provider-assistants.ts'
import { assistants, credentials, mcpServers, tools, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { McpServerRow } from '../oauth/mcp/server-tokens.ts'
import type { CredentialRow } from '../oauth/stored-tokens.ts'
import type { GuardedEgress, OwnAssistant, OwnMcpServer, OwnTools } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { providerAccess } from './assistant-provider.ts'
import { openMcpHeaders } from './mcp-headers.ts'
import { credentialReader } from './open-components.ts'

const MAX_LISTED = 1000

interface Outside {
  /** Reaches the authorization servers of MCP servers. */
  egress: GuardedEgress
  /** Called with the header values of a server that was read. */
  onSecrets(values: string[]): void
}

/** Each is read once, so a run uses one version of it. */
export function openOwnTools(
  { db, cipher, clock, config }: Pick<Services, 'db' | 'cipher' | 'clock' | 'config'>,
  tenant: Tenant,
  { egress, onSecrets }: Outside,
): OwnTools {
  const rows = scope(db, tenant)
  const key = () =>
    db.select({ wrappedKey: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, tenant.workspaceId))
  return {
    tool: keepReads(async (id) => (await rows.select(tools, eq(tools.id, id)))[0]),
    mcpServer: keepReads(async (id): Promise<OwnMcpServer | undefined> => {
      const [[row], [workspace]] = await db.batch([rows.select(mcpServers, eq(mcpServers.id, id)), key()])
      if (!row || !workspace) return undefined
      const { wrappedKey } = workspace
      const context = { db, cipher, clock, config, tenant, wrappedKey, egress }
      const { headers, secrets } = await openMcpHeaders(context, row as McpServerRow)
      onSecrets(secrets)
      return { name: row.name, url: row.serverUrl, headers }
    }),
    async assistant(id) {
      const [[row], [workspace]] = await db.batch([rows.select(assistants, eq(assistants.id, id)), key()])
      if (!row || !workspace || row.type === 'CUSTOM') return undefined
      const held = row.credential ?? ''
      const [credential] = await rows.select(credentials, eq(credentials.id, held))
      const found = new Map(credential ? [[held, credential as CredentialRow]] : [])
      const owned = { ...tenant, wrappedKey: workspace.wrappedKey, credentials: found }
      const readCredential = credentialReader({ db, cipher, clock }, owned, { egress, onSecrets })
      const apiKey = (await readCredential(held))?.openAIApiKey
      if (typeof apiKey !== 'string' || apiKey === '')
        throw new Error('OpenAI Assistant: the assistant needs a credential with an API key')
      return assistantAt(row.type, row.details, apiKey)
    },
    async listTools() {
      const list = await rows.select(tools).orderBy(asc(tools.name)).limit(MAX_LISTED)
      return list.map(({ id, name, description }) => ({ label: name, name: id, description }))
    },
    async listMcpServers() {
      const list = await rows.select(mcpServers).orderBy(asc(mcpServers.name)).limit(MAX_LISTED)
      return list.map(({ id, name, serverUrl }) => ({ label: name, name: id, description: serverUrl }))
    },
  }
}

/** How the API of an assistant is called; undefined for one that does not exist at its provider yet. */
function assistantAt(type: ProviderType, stored: string, apiKey: string): OwnAssistant | undefined {
  const details = readProviderDetails(stored)
  if (!details?.id) return undefined
  const { id, name, basepath } = details
  return { id, name, ...providerAccess({ type, basepath, apiKey }) }
}

/** Returns the ids that exist, to find choices of what was deleted. */
export async function readOwnIds({ db }: Pick<Services, 'db'>, tenant: Tenant) {
  const idsIn = (table: typeof tools | typeof mcpServers) =>
    db.select({ id: table.id }).from(table).where(scope(db, tenant).inWorkspace(table))
  const [ofTools, ofServers] = await db.batch([idsIn(tools), idsIn(mcpServers)])
  return { tool: new Set(ofTools.map(({ id }) => id)), mcpServer: new Set(ofServers.map(({ id }) => id)) }
}

function keepReads<Found>(read: (id: string) => Promise<Found>): (id: string) => Promise<Found> {
  const kept = new Map<string, Promise<Found>>()
  return (id) => {
    const reading = kept.get(id) ?? read(id)
    kept.set(id, reading)
    return reading
  }
}
