/** The tokens of an organization's directories, as admins see them. Only hashes are kept. */
import { asc, count, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import type { DirectoryTokens, NewDirectoryToken } from '#contract/organization/directory.ts'
import { scimTokens, users } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { randomToken, tokenHash } from '../../http/session/secrets.ts'
import { backsDirectory, changeOrganization, memberQueries, toMembers } from '../users/index.ts'
import { scimBase } from './answers.ts'

const MAX_TOKENS = 20

export async function listTokens(c: Context<AppEnv>, actor: UserActor): Promise<DirectoryTokens> {
  const { db } = c.get('services')
  const rows = await db
    .select({ token: scimTokens, maker: users.name })
    .from(scimTokens)
    .innerJoin(users, eq(users.id, scimTokens.createdBy))
    .where(organizationScope(db, actor).inOrganization(scimTokens))
    .orderBy(asc(scimTokens.createdDate), asc(scimTokens.id))
  const makerIds = [...new Set(rows.map(({ token }) => token.createdBy))]
  const makers = toMembers(await db.batch(memberQueries(db, actor.organizationId, makerIds)))
  const tokens = rows.map(({ token: { id, name, createdBy, lastUsedDate, createdDate }, maker }) => ({
    ...{ id, name, lastUsedDate, createdDate },
    createdBy: { id: createdBy, name: maker },
    isBacked: backsDirectory(makers.find((each) => each.id === createdBy)),
  }))
  return { baseUrl: scimBase(c), tokens }
}

/** The answer alone has the token. */
export function createToken(c: Context<AppEnv>, actor: UserActor, name: string): Promise<NewDirectoryToken> {
  const token = randomToken()
  const id = crypto.randomUUID()
  return changeOrganization(c, { actor, adminsOnly: true }, async ({ tx, rows, record }) => {
    const [counted] = await tx.select({ total: count() }).from(scimTokens).where(rows.inOrganization(scimTokens))
    if ((counted?.total ?? 0) >= MAX_TOKENS) {
      throw new HeddleError('conflict', `An organization can have ${MAX_TOKENS} tokens. Revoke one that is not used.`)
    }
    await rows.insert(scimTokens, {
      ...{ id, name, tokenHash: tokenHash(token), createdBy: actor.userId },
      createdDate: c.get('services').clock.now().toISOString(),
    })
    await record({ event: 'directory-token.create', target: { id, name } })
    return { id, token }
  })
}

export function deleteToken(c: Context<AppEnv>, actor: UserActor, id: string): Promise<void> {
  return changeOrganization(c, { actor, adminsOnly: true }, async ({ rows, record }) => {
    const [row] = (await rows.select(scimTokens, eq(scimTokens.id, id))) as (typeof scimTokens.$inferSelect)[]
    if (!row) throw new HeddleError('not_found', `Token ${id} not found`)
    await rows.delete(scimTokens, eq(scimTokens.id, id))
    await record({ event: 'directory-token.delete', target: { id, name: row.name } })
  })
}
