/** Access of callers from outside the workspace's pages. */
import * as z from 'zod'
import { readChatbotConfig } from '../chatflows/flow-settings.ts'
import type { FlowType } from '../flow/flow-types.ts'
import { factsOf } from '../flow/kinds/facts.ts'
import { holdsOneOf } from './check.ts'

/**
 * - `members`: signed-in members of the workspace who may view the flow
 * - `keys`: also the workspace's API keys that may run flows
 * - `sites`: also pages of the sites in `chatbotConfig.allowedOrigins`. Browsers say whose page calls; programs say what
 *   they like, so this stops pages and no programs
 * - `everyone`: anybody with the address
 *
 * A flow with an `apikeyid` accepts no key but that one, and nobody from outside without it.
 */
const CALLERS = ['members', 'keys', 'sites', 'everyone'] as const
export const callersSchema = z.enum(CALLERS)
export type Callers = z.infer<typeof callersSchema>

/** The settings of a flow that decide who may call it. */
export interface CallableFlow {
  id: string
  type: FlowType
  workspaceId: string
  callers: Callers
  apikeyid: string | null
  chatbotConfig: string | null
}

/** An API key as its row has it. */
export interface CallersKey {
  id: string
  workspaceId: string
  permissions: readonly string[]
  flowIds: readonly string[] | null
  /** The key is refused from then on; null: never. */
  expiresDate: string | null
  lastUsedDate: string | null
}

export interface OutsideCaller {
  key?: CallersKey
  /** The page that calls. Browsers send it, other programs need not. */
  origin?: string
}

interface Refusal {
  code: 'unauthorized' | 'forbidden'
  message: string
}

/** The permission that viewing, and so running, flows of a type requires. */
export const viewPermission = (type: FlowType): string => flowPermissions([type], 'view')

/** Returns comma-separated permissions, each of which allows one of the verbs for one of the types. */
export function flowPermissions(types: readonly FlowType[], ...verbs: FlowVerb[]): string {
  const areas = [...new Set(types.map((type) => factsOf(type).permissions))]
  return areas.flatMap((area) => verbs.map((verb) => `${area}:${verb}`)).join(',')
}

export type FlowVerb = 'view' | 'create' | 'update' | 'delete'

/** Returns true for a key that may also see what the flow is made of. */
export function mayView(flow: Pick<CallableFlow, 'workspaceId' | 'type'>, key: CallersKey): boolean {
  return key.workspaceId === flow.workspaceId && holdsOneOf(key.permissions, viewPermission(flow.type))
}

/** Returns true for a key that may run the flow: one of its workspace that may view it, or that is made for it. */
export function mayRun(flow: Pick<CallableFlow, 'id' | 'workspaceId' | 'type'>, key: CallersKey): boolean {
  return mayView(flow, key) || (key.workspaceId === flow.workspaceId && key.flowIds?.includes(flow.id) === true)
}

/**
 * Returns why the caller is refused, or undefined. Without a key of its workspace, a flow that is closed answers as one
 * that does not exist, unless its owner wrote what pages of other sites read.
 */
export function callRefusal(flow: CallableFlow | undefined, { key, origin }: OutsideCaller): Refusal | undefined {
  if (!flow) return NOT_OPEN
  const ownKey = key?.workspaceId === flow.workspaceId ? key : undefined
  const { allowedOrigins, allowedOriginsError } = readChatbotConfig(flow.chatbotConfig)
  const isListed = origin !== undefined && allowedOrigins.some((site) => parseOrigin(site) === origin)
  const otherSite = () => forbidden(allowedOriginsError || 'This site is not allowed to use this chatbot')
  const toOwnKey = (refusal: Refusal) => (ownKey ? refusal : NOT_OPEN)
  if (flow.callers === 'members') return toOwnKey(forbidden(MEMBERS_ONLY))
  const hasKey = ownKey !== undefined && mayRun(flow, ownKey)
  if (flow.apikeyid) {
    if (ownKey?.id !== flow.apikeyid) return toOwnKey(unauthorized(ITS_KEY))
  } else if (flow.callers === 'sites') {
    if (hasKey || isListed) return undefined
    if (origin === undefined) return toOwnKey(unauthorized(KEY_OR_SITE))
    return allowedOriginsError ? otherSite() : toOwnKey(otherSite())
  } else if (flow.callers === 'keys' && !hasKey) {
    return toOwnKey(forbidden(WEAK_KEY))
  }
  return origin === undefined || !allowedOrigins[0] || isListed ? undefined : otherSite()
}

const MEMBERS_ONLY = 'Only members of its workspace can run this flow. Its owner can change this under Share.'
const ITS_KEY = 'This flow needs its API key: send it as Authorization: Bearer <key>'
const KEY_OR_SITE =
  'This flow answers pages of certain sites. Other programs send an API key: Authorization: Bearer <key>'
const WEAK_KEY = 'This API key can’t run flows. Its owner can change that under API keys.'

const unauthorized = (message: string): Refusal => ({ code: 'unauthorized', message })
const forbidden = (message: string): Refusal => ({ code: 'forbidden', message })

/** The refusal of callers from outside: by a flow that does not answer them, and by one that does not exist. */
export const NOT_OPEN = unauthorized(
  'No such flow is open to you. If it exists, it needs an API key of its workspace (Authorization: Bearer <key>), or a page of a site that its owner allows.',
)

/** A site without a scheme is an https one. */
function parseOrigin(site: string): string {
  const address = /^https?:/i.test(site) ? site : `https://${site}`
  return URL.parse(address)?.origin ?? site
}
