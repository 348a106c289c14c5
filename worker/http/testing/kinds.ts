/** Whose ids the walk of organizations puts into a call: every row that it seeds has its own. */
import { getTableName } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { requestFailures } from '#db/schema/index.ts'
import type { Route } from '../route.ts'
import { addressOf, bodyOf, nameOf } from './calls.ts'
import { SEED_ID, tablesOfSeed } from './seed.ts'

/** Names of the tables whose rows have ids, and of conversations, which have no table. */
export const kinds: readonly string[] = [
  ...[...tablesOfSeed, requestFailures]
    .filter((table) => getTableConfig(table).columns.some(({ name }) => name === 'id'))
    .map(getTableName),
  'chats',
]

export function idOf(kind: string): string {
  const at = kinds.indexOf(kind)
  if (at === -1) throw new Error(`The walk has no id of ${kind}`)
  return `00000000-0000-4000-8000-${(0xa00 + at).toString(16).padStart(12, '0')}`
}

/** What a field or a part of a path names, on every route. */
const BY_NAME: Record<string, string> = {
  chatId: 'chats',
  sessionId: 'chats',
  chatflowId: 'chatflows',
  chatflowid: 'chatflows',
  flowId: 'chatflows',
  agentflowId: 'chatflows',
  executionId: 'executions',
  executionIds: 'executions',
  messageId: 'chat_messages',
  deliveryId: 'trigger_deliveries',
  storeId: 'document_stores',
  loaderId: 'document_loaders',
  docId: 'document_loaders',
  chunkId: 'document_chunks',
  fileId: 'files',
  userId: 'users',
  roleId: 'roles',
  workspaceId: 'workspaces',
  credential: 'credentials',
  credentialId: 'credentials',
}

/** What the other ids of a route name, by the beginning of its path. The first that fits counts. */
const BY_PATH: [RegExp, ...string[]][] = [
  [/^\/scim\/v2\/Users|^\/users/, 'users'],
  [/^\/scim\/v2\/Groups|^\/scim-groups/, 'scim_groups'],
  [/^\/scim-tokens/, 'scim_tokens'],
  [/^\/workspaces/, 'workspaces'],
  [/^\/roles/, 'roles'],
  [/^\/account\/invit/, 'invitations'],
  [/sso-providers|^\/sso\/|^\/account\/identities/, 'identity_providers'],
  [/^\/sso-domains/, 'organization_domains'],
  [/^\/account\/sessions/, 'sessions'],
  [/^\/account\/passkeys/, 'passkeys'],
  [/assistants/, 'assistants', 'credentials'],
  [/executions/, 'executions'],
  [/^\/feedback/, 'chatflows', 'chat_message_feedback'],
  [/^\/trigger-deliveries/, 'trigger_deliveries'],
  [/^\/triggers/, 'triggers'],
  [/^\/webhook/, 'chatflows', 'triggers'],
  [/^\/marketplaces/, 'custom_templates'],
  [/^\/document-store\/jobs/, 'document_jobs'],
  [/^\/document-store/, 'document_stores'],
  [/credential/, 'credentials'],
  [/^\/variables/, 'variables'],
  [/^\/tools/, 'tools'],
  [/^\/custom-mcp-servers/, 'mcp_servers'],
  [/apikey/, 'apikeys'],
  [/^\/export-import\/imports/, 'workspace_imports'],
  [/^\/files/, 'files'],
  [/./, 'chatflows'],
]

/** Returns what the ids of a route name. */
export const ownKinds = ({ path }: Route): string[] =>
  BY_PATH.find(([pattern]) => pattern.test(path))?.slice(1) as string[]

/** The rows that a call of a route names. */
export interface Named {
  kind: string
  /** False: each part names what it should, and `kind` is the rest; true: everything names a row of `kind`. */
  isWrong: boolean
}

/** Returns each way in which a call of the route is tried: with its own kinds of ids, and with these others. */
export function namings(route: Route, others: readonly string[]): Named[] {
  const own = ownKinds(route)
  const isFixed = !route.path.includes(':') && bodyOf(route) === undefined
  if (isFixed) return [{ kind: own[0] as string, isWrong: false }]
  const wrong = others.filter((kind) => !own.includes(kind))
  return [...own.map((kind) => ({ kind, isWrong: false })), ...wrong.map((kind) => ({ kind, isWrong: true }))]
}

const bodies = new Map<string, string | undefined>()

/** Returns the address and the body of the call. @param ids the id of each kind; by default those of the seeded rows */
export function requestOf(
  route: Route,
  { kind, isWrong }: Named,
  ids: (kind: string) => string = idOf,
): { path: string; json: unknown } {
  const idOfName = (name: string) => ids(isWrong ? kind : (BY_NAME[name] ?? kind))
  const name = nameOf(route)
  if (!bodies.has(name)) bodies.set(name, JSON.stringify(bodyOf(route)))
  const body = bodies.get(name)
  const fill = (key: string, value: unknown) => (value === SEED_ID ? idOfName(key) : value)
  return { path: addressOf(route, idOfName), json: body === undefined ? undefined : JSON.parse(body, fill) }
}
