/** People who come back from a provider's consent page: in the browser that left, for what they left for. */
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { describePermissions, holds } from '#contract/access/index.ts'
import { workspaces } from '#db/schema/index.ts'
import { type OAuthRequest, openRequest, takeRequest } from '../../oauth/requests.ts'
import type { AppEnv, UserActor } from '../route.ts'
import { readOAuthSession } from './cookies.ts'
import { identityQuery, userActor, verifiedIdentity } from './identity.ts'

interface Journey {
  ownerKind: OAuthRequest['ownerKind']
  /** Who may connect. */
  permission: string
  /** Where people connect: `Credentials`. */
  page: string
}

interface OAuthReturn {
  actor: UserActor
  ownerId: string
  wrappedKey: string
  verifier: string
  redirectUri: string
  data: Record<string, unknown>
}

/** Takes the request of a state. Throws an Error for the person who came back when it is not theirs, or no longer good. */
export async function takeReturn(
  c: Context<AppEnv>,
  state: string | undefined,
  { ownerKind, permission, page }: Journey,
): Promise<OAuthReturn> {
  const { db, cipher, clock } = c.get('services')
  const request = state === undefined ? undefined : await takeRequest({ db }, state)
  if (request?.ownerKind !== ownerKind || request.expiresDate <= clock.now().toISOString())
    throw new Error(`This connection has expired or was used before. Open ${page} and connect again.`)
  const notTheirs = new Error(`This connection was started elsewhere. Open ${page} in this browser and connect again.`)
  const actor = await returningUser(c)
  if (!actor) throw notTheirs
  if (!mayConnect(c, actor, permission))
    throw new Error(`To connect it you need the permission ${describePermissions(permission)}.`)
  const { workspaceId } = actor
  const [workspace] = await db
    .select({ wrappedKey: workspaces.wrappedKey })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
  if (request.userId !== actor.userId || request.workspaceId !== workspaceId || !workspace) throw notTheirs
  const { wrappedKey } = workspace
  const { verifier, sessionId, redirectUri, data = {} } = await openRequest({ cipher }, request, wrappedKey)
  if (sessionId !== actor.sessionId) throw notTheirs
  return { actor, ownerId: request.ownerId, wrappedKey, verifier, redirectUri, data }
}

/** Returns the user whose browser this is. */
async function returningUser(c: Context<AppEnv>): Promise<UserActor | undefined> {
  const { db, clock } = c.get('services')
  const sessionId = await readOAuthSession(c)
  if (sessionId === undefined) return undefined
  const [row] = await identityQuery(db, sessionId)
  return userActor(verifiedIdentity(row, clock.now()), c.get('services').config)
}

function mayConnect(c: Context<AppEnv>, actor: UserActor, permission: string): boolean {
  const { platformType: platform } = c.get('services').config
  return holds({ ...actor, platform, isGlobal: actor.isOrganizationAdmin }, permission)
}
