import type { Context } from 'hono'
import { ownOrigin } from '../../../http/own-origin.ts'
import type { AppEnv } from '../../../http/route.ts'

/** Returns the owner of passkeys: the host of the pages, and the origin that they are used on. */
export function relyingParty(c: Context<AppEnv>): { id: string; origin: string } {
  const { appUrl, uiOrigin } = c.get('services').config
  const origin = appUrl ? new URL(appUrl).origin : (uiOrigin ?? ownOrigin(c))
  return { id: new URL(origin).hostname, origin }
}
