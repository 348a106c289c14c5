/** People on their way to a provider's consent page and back. A request is taken once, by whoever brings its state. */
import { createHash } from 'node:crypto'
import { and, eq, lte } from 'drizzle-orm'
import { oauthRequests } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../services.ts'
import { challengeOf, createSecret } from './pkce.ts'

type OAuthRequestRow = typeof oauthRequests.$inferSelect

export interface OAuthRequest {
  ownerKind: OAuthRequestRow['ownerKind']
  ownerId: string
  userId: string
  /** Whose browser must bring the answer. */
  sessionId: string
  redirectUri: string
  /** More that the answer needs, encrypted. */
  data?: Record<string, unknown>
}

const LIFETIME_MS = 10 * 60 * 1000

type Store = Pick<Services, 'db' | 'cipher' | 'clock'>

/** Stores a request, and returns what the provider is sent of it. Expired requests of the workspace are deleted. */
export async function beginRequest(
  { db, cipher, clock }: Store,
  { tenant, wrappedKey }: { tenant: Tenant; wrappedKey: string },
  { ownerKind, ownerId, userId, sessionId, redirectUri, data }: OAuthRequest,
): Promise<{ state: string; challenge: string }> {
  const [state, verifier] = [createSecret(), createSecret()]
  const now = clock.now()
  const rows = scope(db, tenant)
  const row = {
    id: hashOf(state),
    ownerKind,
    ownerId,
    userId,
    encryptedData: await cipher.encrypt(wrappedKey, { verifier, sessionId, redirectUri, data }),
    expiresDate: new Date(now.getTime() + LIFETIME_MS).toISOString(),
    createdDate: now.toISOString(),
  }
  await db.batch([
    rows.delete(oauthRequests, lte(oauthRequests.expiresDate, now.toISOString())),
    rows.insert(oauthRequests, row),
  ])
  return { state, challenge: challengeOf(verifier) }
}

/** Deletes and returns the request of a state, so that it is good once. Undefined: there is none. */
export async function takeRequest({ db }: Pick<Store, 'db'>, state: string): Promise<OAuthRequestRow | undefined> {
  const [row] = await acrossWorkspaces(
    db,
    'a state is random, and its row names the workspace, the user and the session',
  )
    .delete(oauthRequests)
    .where(and(eq(oauthRequests.id, hashOf(state)), isInUse(oauthRequests.workspaceId)))
    .returning()
  return row
}

/** Decrypts what only the token request needs. */
export async function openRequest({ cipher }: Pick<Store, 'cipher'>, row: OAuthRequestRow, wrappedKey: string) {
  const opened = await cipher.decrypt(wrappedKey, row.encryptedData)
  return opened as {
    verifier: string
    sessionId: string
    redirectUri: string
    data?: Record<string, unknown>
  }
}

const hashOf = (state: string) => createHash('sha256').update(state).digest('hex')
