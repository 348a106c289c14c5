/** What a site may expect of a crawler: its robots.txt is obeyed, and it is asked once a second at most. */
import robotsParser from 'robots-parser'
import type { Clock } from '../../../ports/types.ts'
import { type LoaderContext, UnreadableError } from '../../types.ts'
import { bodyText, sendRequest } from '../services/requests.ts'

/** The name that robots.txt calls us by. */
export const USER_AGENT = 'Heddle'
const INTERVAL_MS = 1000
const MAX_HOSTS = 1000

const RULES_MS = 60 * 60_000
const MAX_RULES = 200
const MAX_RULES_BYTES = 500 * 1024
/** Rules with `*` are compared with every part of a path, so few of them are read. */
const MAX_WILDCARD_CHARS = 20_000

type Rules = ReturnType<typeof robotsParser>

interface CrawlState {
  /** When a host may be asked next. */
  next: Map<string, number>
  /** By origin. */
  rules: Map<string, { rules: Rules; until: number }>
}

/** By the clock that measures them: one for each isolate. */
const crawlStates = new WeakMap<Clock, CrawlState>()

function crawlStateOf(clock: Clock): CrawlState {
  const state = crawlStates.get(clock) ?? { next: new Map(), rules: new Map() }
  crawlStates.set(clock, state)
  return state
}

/** Resolves when this host may be asked. Everybody who waits has a second of their own. */
export async function waitForTurn(url: string, { clock, signal }: LoaderContext): Promise<void> {
  const { next } = crawlStateOf(clock)
  const { host } = new URL(url)
  const now = clock.now().getTime()
  const turn = Math.max(now, next.get(host) ?? 0)
  for (const [other, time] of next) if (next.size >= MAX_HOSTS && time <= now) next.delete(other)
  next.set(host, turn + INTERVAL_MS)
  if (turn > now) await clock.sleep(turn - now, signal)
}

/** @throws UnreadableError when the site's robots.txt cannot be read: nothing of it may be read then */
export async function mayRead(url: string, context: LoaderContext): Promise<boolean> {
  return (await fetchRules(new URL(url).origin, context)).isAllowed(url, USER_AGENT) !== false
}

/** Returns the addresses of sitemaps that robots.txt names. */
export async function namedSitemaps(origin: string, context: LoaderContext): Promise<string[]> {
  return (await fetchRules(origin, context)).getSitemaps()
}

async function fetchRules(origin: string, context: LoaderContext): Promise<Rules> {
  const { rules } = crawlStateOf(context.clock)
  const now = context.clock.now().getTime()
  let own = rules.get(origin)
  if (!own || own.until <= now) {
    own = { rules: await readRules(origin, context), until: now + RULES_MS }
    const [oldest] = rules.keys()
    if (rules.size >= MAX_RULES && oldest !== undefined) rules.delete(oldest)
    rules.set(origin, own)
  }
  return own.rules
}

async function readRules(origin: string, context: LoaderContext): Promise<Rules> {
  const url = `${origin}/robots.txt`
  const service = `The robots.txt of ${new URL(origin).host}`
  await waitForTurn(url, context)
  const response = await sendRequest({ service, url, maxBytes: MAX_RULES_BYTES }, { ...context, credential: {} })
  if (response.status >= 500 || response.status === 429)
    throw new UnreadableError(
      `${service} can’t be read (${response.status}), so nothing there may be read. Try again later.`,
    )
  const isThere = response.ok
  const text = isThere ? await bodyText(service, response) : ''
  if (!isThere) response.body?.cancel().catch(() => {})
  if (wildcardChars(text) > MAX_WILDCARD_CHARS)
    throw new UnreadableError(`${service} has too many rules with “*” to be obeyed. Enter single addresses instead.`)
  return robotsParser(url, text)
}

function wildcardChars(text: string): number {
  let chars = 0
  for (const line of text.split(/[\r\n]/)) {
    const rule = line.slice(line.indexOf(':') + 1)
    const star = rule.indexOf('*')
    if (star !== -1) chars += rule.length - star
  }
  return chars
}
