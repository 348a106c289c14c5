/** A session is one sign-in: a chain of refresh tokens, each replacing the one before. Reusing an old token ends it. */
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { sessions, users } from '#db/schema/index.ts'
import { endedSession } from '../../http/session/identity.ts'
import { nextRefreshToken, randomToken, tokenHash } from '../../http/session/secrets.ts'
import { invalidToken, REFRESH_SECONDS, type SessionTokens, signAccessToken } from '../../http/session/tokens.ts'
import type { Services } from '../../services.ts'

/** The previous token stays valid this long, because two tabs may refresh at the same time. */
const GRACE_MS = 10_000

type SessionServices = Pick<Services, 'db' | 'clock' | 'config'>

/** Facts about the sign-in that a session carries. */
export interface SignInFacts
  extends Pick<
    typeof sessions.$inferInsert,
    'userId' | 'method' | 'activeWorkspaceId' | 'device' | 'address' | 'country' | 'browserId'
  > {
  provider: SessionProvider | null
}

/** The identity provider that opens a session; with an organization, it proves the person to that organization only. */
interface SessionProvider {
  id: string
  organizationId: string | null
}

/** An organization's provider may have asked nobody: it proves who is there when it is asked to (`sso/sign-in.ts`). */
export const isLimited = (provider: SessionProvider | null): boolean => (provider?.organizationId ?? null) !== null

/** Makes the tokens of a session, and the statement that stores it. */
export async function openSession({ db, clock, config }: SessionServices, { provider, ...signedIn }: SignInFacts) {
  const now = clock.now()
  const sessionId = crypto.randomUUID()
  const refreshToken = `${sessionId}.${randomToken()}`
  // Where the person was last; from then on, other sessions switch without this one.
  const lastWorkspace = sql<string>`(select ${users.activeWorkspaceId} from ${users} where ${eq(users.id, signedIn.userId)})`
  const statement = db.insert(sessions).values({
    ...signedIn,
    activeWorkspaceId: signedIn.activeWorkspaceId ?? lastWorkspace,
    identityProviderId: provider?.id ?? null,
    id: sessionId,
    refreshHash: tokenHash(refreshToken),
    rotatedDate: now.toISOString(),
    expiresDate: refreshExpiry(now),
    confirmedDate: isLimited(provider) ? null : now.toISOString(),
    lastSeenDate: now.toISOString(),
    createdDate: now.toISOString(),
  })
  const accessToken = await signAccessToken(config.sessionKey, sessionId, now)
  const tokens: SessionTokens = { sessionId, refreshToken, accessToken }
  return { tokens, statement }
}

/** Reads the session id from a refresh token, without checking the token. */
export function sessionIdOf(refreshToken: string): string {
  return refreshToken.split('.', 1)[0] as string
}

/** Returns the successor of a refresh token. Throws `unauthorized`, and revokes the session when the token was used before. */
export async function rotateSession(
  { db, clock, config }: SessionServices,
  refreshToken: string,
): Promise<SessionTokens> {
  const now = clock.now()
  const sessionId = sessionIdOf(refreshToken)
  const successor = `${sessionId}.${nextRefreshToken(config.sessionKey, refreshToken)}`
  const rotated = await db
    .update(sessions)
    .set({
      refreshHash: tokenHash(successor),
      previousHash: tokenHash(refreshToken),
      rotatedDate: now.toISOString(),
      expiresDate: refreshExpiry(now),
    })
    .where(
      and(
        eq(sessions.id, sessionId),
        eq(sessions.refreshHash, tokenHash(refreshToken)),
        isNull(sessions.revokedDate),
        gt(sessions.expiresDate, now.toISOString()),
      ),
    )
    .returning({ id: sessions.id })
  if (rotated.length === 0) await assertJustRotated(db, refreshToken, now)
  return { sessionId, refreshToken: successor, accessToken: await signAccessToken(config.sessionKey, sessionId, now) }
}

async function assertJustRotated(db: Database, refreshToken: string, now: Date): Promise<void> {
  const sessionId = sessionIdOf(refreshToken)
  const [session] = await db.select().from(sessions).where(eq(sessions.id, sessionId))
  if (!session) throw invalidToken()
  if (session.revokedDate !== null || session.expiresDate <= now.toISOString()) throw endedSession()
  const sinceRotation = now.getTime() - Date.parse(session.rotatedDate)
  if (session.previousHash === tokenHash(refreshToken) && sinceRotation <= GRACE_MS) return
  await revokeSession({ db, now, sessionId })
  throw endedSession()
}

export async function revokeSession(revoke: { db: Database; now: Date; sessionId: string }): Promise<void> {
  await revoke.db
    .update(sessions)
    .set({ revokedDate: revoke.now.toISOString() })
    .where(and(eq(sessions.id, revoke.sessionId), isNull(sessions.revokedDate)))
}

function refreshExpiry(now: Date): string {
  return new Date(now.getTime() + REFRESH_SECONDS * 1000).toISOString()
}
