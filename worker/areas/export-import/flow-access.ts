/** Who may call an imported flow, by what its file says. An import never opens a flow that was closed. Pure. */
import type { Callers } from '#contract/access/callers.ts'
import { readApiConfig, readChatbotConfig } from '#contract/chatflows/flow-settings.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { FlowItem } from '#contract/export-import/export-import.ts'
import { isUsed } from '#contract/flow/params/params.ts'

/** Columns of a flow that hold its callers off; the configs have nothing else. */
export interface FlowAccess {
  callers: Callers
  chatbotConfig: string | null
  apiConfig: string | null
}

interface ImportedAccess extends FlowAccess {
  /** For the report: what was decided, and what is left to choose. */
  notes: string[]
}

/** @param isSameId false for a flow that gets a new id, which nobody knows yet */
export function importedAccess(row: FlowItem, isSameId: boolean): ImportedAccess {
  const restrictions = readRestrictions(row)
  const { sites, limit, isUnread, chatbotConfig, apiConfig } = restrictions
  const callers = callersOf(row, { ...restrictions, isSameId })
  const who = whoMayCall(row, { callers, sites, isUnread, isSameId })
  const limited = limit ? [`It takes ${limit} from each address, as before.`] : []
  return { callers, chatbotConfig, apiConfig, notes: [...who, ...limited] }
}

/** Returns those settings of a flow that an export has to hold so that its import is not more open. */
export function exportedRestrictions(flow: Pick<FlowItem, 'chatbotConfig' | 'apiConfig'>): Partial<FlowAccess> {
  const { chatbotConfig, apiConfig } = readRestrictions(flow)
  return { ...(chatbotConfig && { chatbotConfig }), ...(apiConfig && { apiConfig }) }
}

/** Returns whether a config holds more than its restrictions, which an import leaves out. */
export function isMoreThanRestrictions(name: string, value: unknown): boolean {
  const kept: Record<string, string[]> = { chatbotConfig: SITE_KEYS, apiConfig: ['rateLimit'] }
  const config = parseConfig(value)
  return !config || Object.keys(config).some((key) => !kept[name]?.includes(key) && isUsed(config[key]))
}

const SITE_KEYS = ['allowedOrigins', 'allowedOriginsError']

interface Restrictions {
  sites: string[]
  /** "5 calls in 60 seconds" */
  limit: string | undefined
  chatbotConfig: string | null
  apiConfig: string | null
  /** True where something is set that cannot be read. */
  isUnread: boolean
}

function readRestrictions({ chatbotConfig, apiConfig }: Record<string, unknown>): Restrictions {
  const chat = parseConfig(chatbotConfig)
  const api = parseConfig(apiConfig)
  const read = readChatbotConfig(JSON.stringify(chat ?? {}))
  const sites = read.allowedOrigins.map((site) => site.trim()).filter((site) => site !== '')
  const { rateLimit } = readApiConfig(JSON.stringify(api ?? {}))
  const areSitesRead = sites.length > 0 || isWithoutSites(chat?.allowedOrigins)
  const isLimitRead = rateLimit !== undefined || isWithoutLimit(api?.rateLimit)
  const { allowedOriginsError } = read
  return {
    sites,
    limit: rateLimit && `${calls(rateLimit.limitMax)} in ${seconds(rateLimit.limitDuration)}`,
    chatbotConfig: sites.length > 0 ? JSON.stringify({ allowedOrigins: sites, allowedOriginsError }) : null,
    apiConfig: rateLimit ? JSON.stringify({ rateLimit }) : null,
    isUnread: !chat || !api || !areSitesRead || !isLimitRead,
  }
}

/** Flowise's form saves one empty site for none. */
const isWithoutSites = (value: unknown) =>
  !isUsed(value) || (Array.isArray(value) && value.every((site) => site === ''))

const isWithoutLimit = (value: unknown) =>
  !isUsed(value) || (isRecord(value) && (value.status === undefined || value.status === false))

const calls = (count: number) => (count === 1 ? '1 call' : `${count} calls`)
const seconds = (count: number) => (count === 1 ? '1 second' : `${count} seconds`)

/** Returns undefined for what is neither an object nor the text of one. */
function parseConfig(value: unknown): Record<string, unknown> | undefined {
  const given = typeof value === 'string' ? value.trim() : (value ?? '')
  if (given === '' || given === 'null') return {}
  const config = typeof given === 'string' ? tryParseJson(given) : given
  return isRecord(config) ? config : undefined
}

interface Deciding extends Restrictions {
  isSameId: boolean
}

function callersOf(row: FlowItem, { sites, isUnread, isSameId }: Deciding): Callers {
  if (row.callers === 'members') return 'members'
  if (hasKey(row) || isUnread) return 'keys'
  if (row.callers) return row.callers
  if (sites.length > 0) return 'sites'
  return isSameId && isWhole(row) ? 'everyone' : 'keys'
}

const hasKey = ({ apikeyid }: FlowItem) => isUsed(apikeyid)

/** Files of Flowise's API have every column of a flow, those of its page only some. */
const isWhole = (row: FlowItem) => 'apikeyid' in row && 'chatbotConfig' in row

function whoMayCall(
  row: FlowItem,
  { callers, sites, isUnread, isSameId }: Pick<Deciding, 'sites' | 'isUnread' | 'isSameId'> & { callers: Callers },
): string[] {
  if (callers === 'everyone') return [isSameId ? OPEN_AS_BEFORE : OPEN]
  if (callers === 'sites' && sites.length > 0) return [`Pages of ${sites.slice(0, 5).join(', ')} ${SITES}`]
  if (callers !== 'keys') return []
  if (hasKey(row)) return [`It had an API key of its own, which files do not hold. ${KEYS} Choose its key under Share.`]
  if (isUnread) return [`What the file says about who could call it cannot be read. ${KEYS} ${CHOOSE}`]
  return row.callers || !isSameId ? [] : [`The file does not say who could call it. ${KEYS} ${CHOOSE}`]
}

const OPEN = 'Everyone with its address can call this flow. Change this under Share.'
const OPEN_AS_BEFORE = 'Everyone with its address can call this flow, as before. Change this under Share.'
const SITES = 'can call this flow. Programs need an API key of this workspace. Change this under Share.'
const KEYS = 'Members and the API keys of this workspace can call it now.'
const CHOOSE = 'Choose who else may under Share.'
