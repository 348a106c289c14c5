/** Fixed windows in libSQL: one statement counts a request under all its keys. */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import { rateLimits } from '#db/schema/index.ts'
import type { Services } from '../services.ts'
import type { AppEnv, Route } from './route.ts'

export interface Window {
  key: string
  max: number
  windowSeconds: number
}

/** Counts this request for a route's limit. Throws `rate_limited` with the seconds to wait. */
export async function limitRoute(c: Context<AppEnv>, route: Route, body: unknown): Promise<void> {
  if (!route.limit) return
  const { max, windowSeconds, by } = route.limit
  const name = `${route.method} ${route.path}`
  const windows: Window[] = [{ key: `${name} address ${callerAddress(c)}`, max, windowSeconds }]
  if (by) {
    const value = (body as Record<string, unknown>)[by.field]
    windows.push({ key: `${name} ${by.field} ${String(value)}`, max: by.max, windowSeconds })
  }
  await takeFrom(c.get('services'), windows)
}

/** Counts one use of every window; throws `rate_limited` (429, Retry-After in seconds) when one is used up. */
export async function takeFrom({ db, clock }: Pick<Services, 'db' | 'clock'>, windows: Window[]): Promise<void> {
  const now = Math.floor(clock.now().getTime() / 1000)
  const isOpen = sql`${rateLimits.windowEnd} > ${now}`
  const rows = await db
    .insert(rateLimits)
    .values(windows.map(({ key, windowSeconds }) => ({ key, windowEnd: now + windowSeconds, count: 1 })))
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`CASE WHEN ${isOpen} THEN ${rateLimits.count} + 1 ELSE 1 END`,
        windowEnd: sql`CASE WHEN ${isOpen} THEN ${rateLimits.windowEnd} ELSE excluded.window_end END`,
      },
    })
    .returning()
  for (const { key, count, windowEnd } of rows) {
    const max = windows.find((window) => window.key === key)?.max ?? 0
    if (count <= max) continue
    const retryAfterSeconds = windowEnd - now
    throw new HeddleError('rate_limited', `Too many requests. Try again in ${retryAfterSeconds} seconds.`, {
      retryAfterSeconds,
    })
  }
}

/** Set by the edge, which overwrites what a client sends. */
export function callerAddress(c: Context<AppEnv>): string {
  return c.req.header('cf-connecting-ip') ?? 'unknown'
}
