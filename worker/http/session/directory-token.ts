/** The tokens with which directories provision people. */
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Context } from 'hono'
import { errorMessage } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { scimTokens } from '#db/schema/index.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'
import type { AppEnv, DirectoryActor } from '../route.ts'
import { tokenHash } from './secrets.ts'

type TokenRow = typeof scimTokens.$inferSelect

/** Selects a directory's token. Returns at most one row. */
export function directoryTokenQuery(db: Database, token: string) {
  return acrossOrganizations(db, 'a directory’s token is found by its hash and names its organization')
    .select()
    .from(scimTokens)
    .where(eq(scimTokens.tokenHash, tokenHash(token)))
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
