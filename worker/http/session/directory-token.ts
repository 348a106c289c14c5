/** The tokens with which directories provision people. */
import { and, eq, exists, isNull, lt, notExists, or } from 'drizzle-orm'
import type { Context } from 'hono'
import { errorMessage } from '#contract/errors.ts'
import { scimTokens } from '#db/schema/index.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { assertNotUsedUp, countUse, type Window } from '../rate-limit.ts'
import type { AppEnv, DirectoryActor } from '../route.ts'
import { tokenHash } from './secrets.ts'

type TokenRow = typeof scimTokens.$inferSelect

/**
 * Returns the row of a directory's token, or undefined, and counts one use of its window when it exists, else of the window
 * of wrong tokens. Takes one round trip. Throws `rate_limited`.
 */
export async function takeDirectoryToken(
  services: Pick<Services, 'db' | 'clock'>,
  token: string,
  { known, wrong }: { known: Window | undefined; wrong: Window },
): Promise<TokenRow | undefined> {
  const db = acrossOrganizations(services.db, 'a directory’s token is found by its hash and names its organization')
  const query = db
    .select()
    .from(scimTokens)
    .where(eq(scimTokens.tokenHash, tokenHash(token)))
  const limiter = { db, clock: services.clock }
  const [[row], wrongUse, ...uses] = await db.batch([
    query,
    countUse(limiter, wrong, [exists(query)]),
    ...(known ? [countUse(limiter, known, [notExists(query)])] : []),
  ])
  assertNotUsedUp(services, wrong, wrongUse)
  if (known) assertNotUsedUp(services, known, uses[0] ?? [])
  return row
}

export const directoryActor = ({ id, name, organizationId, createdBy }: TokenRow): DirectoryActor => ({
  ...{ kind: 'directory', tokenId: id, name, organizationId },
  makerId: createdBy,
})

/** Writes the hour of a token's use behind the request, once in an hour. */
export function noteDirectoryUse(c: Context<AppEnv>, token: TokenRow): void {
  const { db, clock } = c.get('services')
  const hour = `${clock.now().toISOString().slice(0, 13)}:00:00.000Z`
  if (token.lastUsedDate !== null && token.lastUsedDate >= hour) return
  const isOlder = or(isNull(scimTokens.lastUsedDate), lt(scimTokens.lastUsedDate, hour))
  const written = organizationScope(db, token).update(scimTokens, and(eq(scimTokens.id, token.id), isOlder), {
    lastUsedDate: hour,
  })
  c.executionCtx.waitUntil(
    Promise.resolve(written).catch((error: unknown) => console.error('use of a token:', errorMessage(error))),
  )
}
