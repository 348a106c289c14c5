import type { Context } from 'hono'
import type { AppEnv } from '../../http/route.ts'
import { isKnownBrowser } from '../../http/session/known-browser.ts'

interface Guess {
  /** The kind of secret that is guessed. */
  about: string
  userId: string | undefined
  /** Key under which guesses of anonymous callers are counted. */
  otherwise: string
}

/**
 * A browser that the user has signed in with before has its own counter, so that anonymous callers cannot lock the user
 * out.
 */
export async function guessKey(c: Context<AppEnv>, { about, userId, otherwise }: Guess): Promise<string> {
  return userId && (await isKnownBrowser(c, userId)) ? `${about} known ${userId}` : `${about} ${otherwise}`
}
