/** The identities that somebody's account is linked with. */
import { and, asc, eq, isNotNull, isNull, or } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import type { Identities } from '#contract/organization/sso.ts'
import { identityProviders, userIdentities } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { signInEvent } from '../../emails/notices.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { assertKeepsWayIn, providerOfSession } from '../auth/index.ts'
import { beginJourney } from './journeys.ts'
import { findProvider, isOn } from './records.ts'
import { mayLink } from './sign-in.ts'
import { reachable } from './store.ts'

export async function listIdentities(c: Context<AppEnv>, actor: UserActor): Promise<Identities> {
  const { db } = c.get('services')
  const isTheirs = eq(identityProviders.organizationId, actor.organizationId)
  const [identities, providers] = await db.batch([
    db
      .select()
      .from(userIdentities)
      .where(eq(userIdentities.userId, actor.userId))
      .orderBy(asc(userIdentities.createdDate)),
    acrossOrganizations(db, 'the platform’s identity providers are for everybody')
      .select()
      .from(identityProviders)
      .where(
        and(
          or(isTheirs, isNull(identityProviders.organizationId)),
          eq(identityProviders.isEnabled, true),
          isNotNull(identityProviders.testedDate),
        ),
      )
      .orderBy(asc(identityProviders.name)),
  ])
  return {
    identities: identities.map(({ userId: _, ...identity }) => identity),
    providers: providers
      .filter((row) => mayLink(actor, row))
      .map(({ id, kind, name, issuer }) => ({ id, kind, name, issuer })),
  }
}

/** Returns the address where the person signs in, to link what they are there with their account here. */
export async function linkIdentity(c: Context<AppEnv>, actor: UserActor, id: string): Promise<{ url: string }> {
  const row = await findProvider(c.get('services').db, id)
  if (!row || !isOn(row) || !mayLink(actor, row))
    throw new HeddleError('not_found', `Identity provider ${id} not found`)
  return { url: await reachable(beginJourney(c, row, { kind: 'link', sessionId: actor.sessionId })) }
}

/** Returns the address where the person signs in again, to prove to be there. Throws `not_found` for other sessions. */
export async function askProvider(c: Context<AppEnv>, { sessionId }: UserActor): Promise<{ url: string }> {
  const services = c.get('services')
  const provider = await providerOfSession(services, sessionId)
  const row = provider && (await findProvider(services.db, provider.id))
  if (!row) throw new HeddleError('not_found', 'No identity provider opened this session. Sign in again instead.')
  const since = Math.floor(services.clock.now().getTime() / 1000)
  return { url: await reachable(beginJourney(c, row, { kind: 'confirm', sessionId, since })) }
}

export async function unlinkIdentity(
  c: Context<AppEnv>,
  actor: UserActor,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<void> {
  const { db } = c.get('services')
  const isThis = and(
    eq(userIdentities.issuer, issuer),
    eq(userIdentities.subject, subject),
    eq(userIdentities.userId, actor.userId),
  )
  const [found] = await db.select().from(userIdentities).where(isThis)
  if (!found) throw new HeddleError('not_found', 'This identity is not linked with your account')
  await assertKeepsWayIn(db, actor.userId, { issuer, subject })
  await db.batch([
    db.delete(userIdentities).where(isThis),
    ...signInEvent(c, actor, {
      event: 'account.unlink-identity',
      change: { issuer: [issuer, null] },
      detail: URL.parse(issuer)?.hostname ?? issuer,
    }),
  ])
  sendEmailsLater(c)
}
