/** The browsers that a person has signed in with, and has not ended the sessions of. */
import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Database } from '#db/client.ts'
import { knownBrowsers } from '#db/schema/index.ts'
import type { AppEnv } from '../route.ts'
import { BROWSER_SECONDS, readBrowserCookie, setBrowserCookie } from './cookies.ts'

/**
 * Returns the id of this browser when the user has signed in with it before. Nothing is read for other users: whether an
 * account exists must not show in the work.
 */
export async function knownBrowserId(c: Context<AppEnv>, userId: string): Promise<string | undefined> {
  const browserId = await readBrowserCookie(c, userId)
  if (browserId === undefined) return undefined
  const { db, clock } = c.get('services')
  const [known] = await db
    .select({ id: knownBrowsers.id })
    .from(knownBrowsers)
    .where(
      and(
        eq(knownBrowsers.id, browserId),
        eq(knownBrowsers.userId, userId),
        gt(knownBrowsers.expiresDate, clock.now().toISOString()),
      ),
    )
  return known?.id
}

export async function isKnownBrowser(c: Context<AppEnv>, userId: string): Promise<boolean> {
  return (await knownBrowserId(c, userId)) !== undefined
}

/** Remembers that this user has signed in here, so that others cannot use up their attempts (`sign-in.ts`). */
export async function rememberBrowser(
  c: Context<AppEnv>,
  browser: { browserId: string; userId: string },
): Promise<void> {
  const { db, clock } = c.get('services')
  const { browserId: id, userId } = browser
  const expiresDate = new Date(clock.now().getTime() + BROWSER_SECONDS * 1000).toISOString()
  await db
    .insert(knownBrowsers)
    .values({ id, userId, expiresDate })
    .onConflictDoUpdate({ target: knownBrowsers.id, set: { expiresDate } })
  await setBrowserCookie(c, browser)
}

/** Returns the statement that forgets browsers of a person: the next sign-in in each is one from a new device. */
export function forgetBrowsers(db: Database, userId: string, condition?: SQL) {
  return db.delete(knownBrowsers).where(and(eq(knownBrowsers.userId, userId), condition))
}
