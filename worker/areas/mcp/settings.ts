/** How flows are offered over MCP. The token is shown once, and kept as a hash. */

import { eq } from 'drizzle-orm'
import type { FlowVerb } from '#contract/access/callers.ts'
import { HeddleError } from '#contract/errors.ts'
import { type FlowMcpServerSettings, type SaveMcpServer, toolNameOf } from '#contract/mcp/servers.ts'
import { chatflows, type FlowMcpServer } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Audited } from '../../http/audit.ts'
import type { Member } from '../../http/route.ts'
import { randomToken, tokenHash } from '../../http/session/secrets.ts'
import type { Services } from '../../services.ts'
import { allowedTypes, assertAllowed } from '../chatflows/index.ts'

interface SettingsRequest {
  member: Member
  flowId: string
  /** The permissions of which one is needed. */
  verbs: FlowVerb[]
}

type Store = Pick<Services, 'db' | 'config'>
type AuditedStore = Store & Audited

/** Returns the settings, or what they would begin with. Throws `not_found` or `forbidden`. */
export async function readMcpServer(store: Store, asked: SettingsRequest): Promise<FlowMcpServerSettings> {
  return toSettings(await readSettings(store, asked))
}

/** Returns the token with the settings that make the first one. */
export async function saveMcpServer(
  store: AuditedStore,
  asked: SettingsRequest,
  { enabled, toolName, description }: SaveMcpServer,
): Promise<FlowMcpServerSettings> {
  const before = await readSettings(store, asked)
  const made = before.tokenHash === '' ? newToken() : undefined
  const saved: FlowMcpServer = {
    enabled: enabled ?? before.enabled,
    toolName: toolName ?? before.toolName,
    description: description ?? before.description,
    tokenHash: made?.tokenHash ?? before.tokenHash,
  }
  await writeSettings(store, asked, { before, after: saved })
  return { ...toSettings(saved), ...(made && { token: made.token }) }
}

/** The settings and the token stay, for the day it is offered again. */
export async function stopServing(store: AuditedStore, asked: SettingsRequest): Promise<FlowMcpServerSettings> {
  const before = await readSettings(store, asked)
  const saved = { ...before, enabled: false }
  if (before.enabled) await writeSettings(store, asked, { before, after: saved })
  return toSettings(saved)
}

/** Returns a new token; the one before is refused from then on. */
export async function refreshToken(store: AuditedStore, asked: SettingsRequest): Promise<FlowMcpServerSettings> {
  const { token, tokenHash: hash } = newToken()
  const before = await readSettings(store, asked)
  const saved = { ...before, tokenHash: hash }
  await writeSettings(store, asked, { before, after: saved })
  return { ...toSettings(saved), token }
}

async function readSettings({ db, config }: Store, { member, flowId, verbs }: SettingsRequest): Promise<FlowMcpServer> {
  const { name, type, mcpServer } = chatflows
  const [row] = await db
    .select({ name, type, mcpServer })
    .from(chatflows)
    .where(scope(db, member).inWorkspace(chatflows, eq(chatflows.id, flowId)))
  if (!row) throw new HeddleError('not_found', `Flow ${flowId} not found`)
  assertAllowed(row.type, allowedTypes(member, config, ...verbs))
  const initial = { enabled: false, tokenHash: '', toolName: toolNameOf(row.name), description: `Runs “${row.name}”` }
  return row.mcpServer ?? initial
}

async function writeSettings(
  { db, audit }: AuditedStore,
  { member, flowId }: SettingsRequest,
  { before, after }: { before: FlowMcpServer; after: FlowMcpServer },
): Promise<void> {
  const rows = scope(db, member)
  const isFlow = eq(chatflows.id, flowId)
  const changed = (Object.keys(toSettings(after)) as (keyof FlowMcpServerSettings)[]).filter(
    (key) => toSettings(before)[key] !== toSettings(after)[key],
  )
  const mcp = Object.fromEntries(changed.map((key) => [key, [toSettings(before)[key], toSettings(after)[key]]]))
  const event = audit({
    event: 'flow.share',
    target: { id: flowId, name: chatflows.name, of: chatflows, where: rows.inWorkspace(chatflows, isFlow) },
    change: { mcp: { ...mcp, ...(before.tokenHash !== after.tokenHash && { token: null }) } },
  })
  await db.batch([event, rows.update(chatflows, isFlow, { mcpServer: after })])
}

function newToken() {
  const token = randomToken()
  return { token, tokenHash: tokenHash(token) }
}

const toSettings = ({ enabled, toolName, description }: FlowMcpServer): FlowMcpServerSettings => ({
  enabled,
  toolName,
  description,
})
