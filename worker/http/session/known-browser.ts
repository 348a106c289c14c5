/** The browsers that a person has signed in with, and has not ended the sessions of. */
import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Database } from '#db/client.ts'
import { knownBrowsers } from '#db/schema/index.ts'
import type { Services } from '../../services.ts'
import type { AppEnv } from '../route.ts'
import { BROWSER_SECONDS, type BrowserOfUser, readBrowserCookie } from './cookies.ts'

/**
 * Returns the id of this browser when the user has signed in with it before. Nothing is read for other users: whether an
 * account exists must not show in the work.
 */
export async function knownBrowserId(c: Context<AppEnv>, userId: string): Promise<string | undefined> {
  const browser = await readBrowserCookie(c)
  if (browser?.userId !== userId) return undefined
  const [known] = await knownBrowserQuery(c.get('services'), browser)
  return known?.id
}

/** Selects the browser while it is known. Without one it selects nothing, with the same work. */
export function knownBrowserQuery({ db, clock }: Pick<Services, 'db' | 'clock'>, browser: BrowserOfUser | undefined) {
  return db
    .select({ id: knownBrowsers.id, userId: knownBrowsers.userId })
    .from(knownBrowsers)
    .where(
      and(
        eq(knownBrowsers.id, browser?.browserId ?? ''),
        eq(knownBrowsers.userId, browser?.userId ?? ''),
        gt(knownBrowsers.expiresDate, clock.now().toISOString()),
      ),
    )
}

export async function isKnownBrowser(c: Context<AppEnv>, userId: string): Promise<boolean> {
  return (await knownBrowserId(c, userId)) !== undefined
}

/**
 * Returns the statement that remembers that this user has signed in here, so that others cannot use up their attempts
 * (`sign-in.ts`). The browser has to get its cookie as well.
 */
export function rememberBrowser(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { browserId: id, userId }: BrowserOfUser,
) {
  const expiresDate = new Date(clock.now().getTime() + BROWSER_SECONDS * 1000).toISOString()
  return db
    .insert(knownBrowsers)
    .values({ id, userId, expiresDate })
    .onConflictDoUpdate({ target: knownBrowsers.id, set: { expiresDate } })
}

/** Returns the statement that forgets browsers of a person: the next sign-in in each is one from a new device. */
export function forgetBrowsers(db: Database, userId: string, condition?: SQL) {
  return db.delete(knownBrowsers).where(and(eq(knownBrowsers.userId, userId), condition))
}
