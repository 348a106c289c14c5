/**
 * Rate limits with fixed windows in libSQL, where every row has the same size, or in the isolate's memory. On Cloudflare the
 * platform counts before the database does.
 */
import { createHash } from 'node:crypto'
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import { takeStatement } from '#db/rate-windows.ts'
import { rateLimits } from '#db/schema/index.ts'
import type { Config, Services } from '../services.ts'
import { callerAddress } from './caller-address.ts'
import { createIsolateLimit } from './isolate-limit.ts'
import type { AppEnv, Route } from './route.ts'

type LimiterServices = Pick<Services, 'db'> & { clock: Pick<Services['clock'], 'now'> }

export interface Window {
  /** Names what is counted, in a text of any length. */
  key: string
  max: number
  windowSeconds: number
  /** Says why the use is refused. By default, that there were too many requests. */
  message?: string | undefined
}

/** Returns the calls that an address may make within a minute to a flow without a limit of its own. */
export const anonymousCallsPerMinute = ({ publicCallsPerMinute }: Pick<Config, 'publicCallsPerMinute'>): number =>
  Math.ceil(publicCallsPerMinute / 2)

/** Callers with a key call for many people, and a wrong key costs little. */
const WITH_KEY = 10

/** The period of `ADDRESS_LIMIT` in wrangler.toml. */
const ADDRESS_LIMIT_SECONDS = 60

const countInIsolate = createIsolateLimit()

/** Counts the request by its address, before anything else is asked. Throws `rate_limited` with the seconds to wait. */
export const limitAddress = createMiddleware<AppEnv>(async (c, next) => {
  const route = c.get('route')
  const limit = route.limit ?? defaultLimit(c, route)
  if (limit && !isForDirectories(route)) {
    const window = { ...limit, key: `${route.method} ${route.path} address ${callerAddress(c)}` }
    const services = c.get('services')
    if (limit.isOfIsolate) takeFromIsolate(window)
    else {
      await takeFromPlatform(services, window)
      await takeFrom(services, [window])
    }
  }
  await next()
})

/**
 * Directories share addresses, so their calls are counted by token.
 * @param token as its holder sent it
 */
export function directoryWindow(c: Context<AppEnv>, token: string): Window | undefined {
  const { method, path, limit } = c.get('route')
  return limit && { key: `${method} ${path} directory ${token}`, ...limit }
}

const isForDirectories = ({ access }: Route): boolean => typeof access === 'object' && 'directoryOnly' in access

function defaultLimit(c: Context<AppEnv>, { access }: Route): Route['limit'] {
  if (access !== 'public') return undefined
  const { publicCallsPerMinute } = c.get('services').config
  const factor = c.req.header('authorization') === undefined ? 1 : WITH_KEY
  return { max: publicCallsPerMinute * factor, windowSeconds: 60, isOfIsolate: true }
}

/** Spares the database the calls of an address that makes many more than it may. Throws `rate_limited`. */
async function takeFromPlatform({ addressLimit }: Pick<Services, 'addressLimit'>, { key }: Window): Promise<void> {
  const { success } = (await addressLimit?.limit({ key: rowKey(key) })) ?? { success: true }
  if (!success) throw rateLimited(ADDRESS_LIMIT_SECONDS)
}

/** Counts one use in this isolate's memory, without a round trip. Throws `rate_limited`. */
export function takeFromIsolate(window: Window): void {
  const retryAfterSeconds = countInIsolate(window)
  if (retryAfterSeconds > 0) throw rateLimited(retryAfterSeconds)
}

/**
 * Counts one use of each window in order and stops at a window that is used up; the windows after it stay unchanged.
 * Throws `rate_limited` (429, Retry-After in seconds). Takes one round trip.
 */
export async function takeFrom({ db, clock }: LimiterServices, windows: Window[]): Promise<void> {
  const now = nowOf(clock)
  const [first, ...rest] = windows.map((window, index) => {
    const before = windows.slice(0, index).map((earlier) => isUsedUp(earlier, now))
    return countUse({ db, clock }, window, before)
  })
  if (!first) return
  const counted = await db.batch([first, ...rest])
  for (const [index, window] of windows.entries()) assertNotUsedUp({ clock }, window, counted[index] ?? [])
}

/**
 * Returns the statement that counts one use of a window, for the batch of what is read meanwhile. Give its rows to
 * `assertNotUsedUp`.
 * @param unless what keeps it from counting
 */
export const countUse = ({ db, clock }: LimiterServices, window: Window, unless: SQL[] = []) =>
  takeStatement(db, { ...window, key: rowKey(window.key), amount: 1, now: nowOf(clock) }, unless)

/** Throws `rate_limited` when a use was counted and is one too many. */
export function assertNotUsedUp(
  { clock }: Pick<LimiterServices, 'clock'>,
  { max, message }: Window,
  [row]: Awaited<ReturnType<typeof countUse>>,
): void {
  if (row && row.count > max) throw rateLimited(row.windowEnd - nowOf(clock), message)
}

/** Adds to what is counted in a window, in one round trip. Returns the sum, and the seconds until the next window. */
export async function addTo(
  { db, clock }: LimiterServices,
  { key, amount, windowSeconds }: { key: string; amount: number; windowSeconds: number },
): Promise<{ used: number; secondsLeft: number }> {
  const now = nowOf(clock)
  const [row] = await takeStatement(db, { key: rowKey(key), amount, now, windowSeconds })
  return { used: row?.count ?? amount, secondsLeft: (row?.windowEnd ?? now + windowSeconds) - now }
}

/** Counts one use. Returns false when the window is used up. */
export async function tryTakeFrom(services: LimiterServices, window: Window): Promise<boolean> {
  try {
    await takeFrom(services, [window])
    return true
  } catch (error) {
    if (error instanceof HeddleError) return false
    throw error
  }
}

/** Returns the error with the seconds to wait. */
const rateLimited = (
  retryAfterSeconds: number,
  message = `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
) => new HeddleError('rate_limited', message, { retryAfterSeconds })

/** Returns the statement that gives back one use that `takeFrom` counted. */
export function giveBack({ db, clock }: LimiterServices, { key }: Pick<Window, 'key'>) {
  return db
    .update(rateLimits)
    .set({ count: sql`${rateLimits.count} - 1` })
    .where(and(eq(rateLimits.key, rowKey(key)), gt(rateLimits.windowEnd, nowOf(clock)), gt(rateLimits.count, 0)))
}

/** True when the transaction has just found this window used up. */
function isUsedUp({ key, max }: Window, now: number): SQL {
  return sql`exists (select 1 from ${rateLimits} used where used.key = ${rowKey(key)} and used.window_end > ${now} and used.count > ${max})`
}

/** Hashes keys, so that rows have one size and no addresses are stored. */
function rowKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

const nowOf = (clock: LimiterServices['clock']) => Math.floor(clock.now().getTime() / 1000)
