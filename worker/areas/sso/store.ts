/** The identity providers of an organization, or of the platform. Client secrets are sealed, and never answered. */
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import {
  FIXED_ISSUERS,
  issuerProblem,
  type ListedProvider,
  type Places,
  type ProviderChange,
  type ProviderDraft,
} from '#contract/organization/sso.ts'
import type { Database } from '#db/client.ts'
import { identityProviders, roles, sessions, workspaces } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import { auditEvent } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { SECRET_OF_PROVIDER } from '../../ports/sealed.ts'
import { isAnyAdminSpared } from '../auth/index.ts'
import { beginJourney, redirectUriOf } from './journeys.ts'
import { assertMayGive, namedPlaces } from './may-give.ts'
import { findOwned, insertProvider, type Owner, type ProviderRow, providersOf } from './records.ts'

export async function listProviders(c: Context<AppEnv>, owner: Owner): Promise<ListedProvider[]> {
  const { handle, owned } = providersOf(c.get('services').db, owner)
  const rows = await handle.select().from(identityProviders).where(owned).orderBy(asc(identityProviders.name))
  return rows.map((row) => listed(c, row))
}

export async function createProvider(
  c: Context<AppEnv>,
  { actor, owner }: { actor: UserActor; owner: Owner },
  { kind, clientSecret, ...given }: ProviderDraft,
): Promise<ListedProvider> {
  const { db, clock, cipher } = c.get('services')
  if (given.isEnabled) throw untested()
  const now = clock.now().toISOString()
  const row: ProviderRow = {
    ...checkSettings(kind, given),
    ...owner,
    id: crypto.randomUUID(),
    kind,
    clientSecret: await cipher.seal(SECRET_OF_PROVIDER, clientSecret),
    isEnabled: false,
    testedDate: null,
    createdDate: now,
    updatedDate: now,
  }
  assertOwned(owner, row)
  await assertMayGive(db, actor, namedPlaces(row))
  await db.batch([
    insertProvider(db, row),
    auditEvent(c, actor, {
      event: 'identity-provider.create',
      target: row,
      change: { kind: [null, kind], issuer: [null, row.issuer] },
      ofOrganization: true,
    }),
  ])
  return listed(c, row)
}

/** Changes a provider. A new client secret turns it off until it has been tested again. */
export async function updateProvider(
  c: Context<AppEnv>,
  { actor, owner, id }: { actor: UserActor; owner: Owner; id: string },
  { clientSecret, ...given }: ProviderChange,
): Promise<ListedProvider> {
  const { db, clock, cipher } = c.get('services')
  const before = await ownedProvider(c, owner, id)
  const settings = checkSettings(before.kind, given)
  const isMoved = settings.issuer !== before.issuer || settings.clientId !== before.clientId
  if (isMoved && clientSecret === undefined) throw secretNeeded()
  const isSame = clientSecret === undefined
  const testedDate = isSame ? before.testedDate : null
  if (given.isEnabled && isSame && testedDate === null) throw untested()
  const after: ProviderRow = {
    ...before,
    ...settings,
    ...(clientSecret !== undefined && { clientSecret: await cipher.seal(SECRET_OF_PROVIDER, clientSecret) }),
    isEnabled: given.isEnabled === true && testedDate !== null,
    testedDate,
    updatedDate: clock.now().toISOString(),
  }
  assertOwned(owner, after)
  await assertMayGive(db, actor, namedPlaces(after))
  if (isRequiredNow(after) && !isRequiredNow(before)) await assertAdminsComeIn(db, after)
  const { handle, owned } = providersOf(db, owner)
  const isUnchanged = and(owned, eq(identityProviders.id, id), eq(identityProviders.updatedDate, before.updatedDate))
  const { id: _, organizationId: __, ...values } = after
  const [, rows] = await db.batch([
    auditEvent(c, actor, {
      event: 'identity-provider.update',
      target: { id, name: identityProviders.name, of: identityProviders, where: isUnchanged },
      change: changeOf(before, after),
      ofOrganization: true,
    }),
    handle.update(identityProviders).set(values).where(isUnchanged).returning({ id: identityProviders.id }),
  ])
  if (rows.length === 0) {
    throw new HeddleError('conflict', 'This provider was changed by someone else in the meantime. Reload it')
  }
  return listed(c, after)
}

/** Ends the sessions that the provider opened. */
export async function deleteProvider(
  c: Context<AppEnv>,
  { actor, owner, id }: { actor: UserActor; owner: Owner; id: string },
): Promise<void> {
  const { db, clock } = c.get('services')
  const row = await ownedProvider(c, owner, id)
  const { handle, owned } = providersOf(db, owner)
  await db.batch([
    handle.delete(identityProviders).where(and(owned, eq(identityProviders.id, id))),
    db
      .update(sessions)
      .set({ revokedDate: clock.now().toISOString() })
      .where(and(eq(sessions.identityProviderId, id), isNull(sessions.revokedDate))),
    auditEvent(c, actor, { event: 'identity-provider.delete', target: row, ofOrganization: true }),
  ])
}

/** Returns the address where whoever configures the provider signs in once. */
export async function testProvider(
  c: Context<AppEnv>,
  { actor, owner, id }: { actor: UserActor; owner: Owner; id: string },
): Promise<{ url: string }> {
  const row = await ownedProvider(c, owner, id)
  const { sessionId } = actor
  return { url: await reachable(beginJourney(c, row, { kind: 'test', sessionId, updatedDate: row.updatedDate })) }
}

/** Throws `conflict` with the reason when a provider cannot be reached or says something wrong of itself. */
export async function reachable<T>(journey: Promise<T>): Promise<T> {
  try {
    return await journey
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new HeddleError('conflict', `The provider did not respond as expected: ${reason}`)
  }
}

/** Returns the workspaces and workspace roles of the actor's organization. */
export async function listPlaces(c: Context<AppEnv>, { organizationId }: UserActor): Promise<Places> {
  const { db } = c.get('services')
  const ofOrganization = organizationScope(db, { organizationId })
  const [rooms, found] = await db.batch([
    db
      .select({ id: workspaces.id, name: workspaces.name })
      .from(workspaces)
      .where(and(eq(workspaces.organizationId, organizationId), isNull(workspaces.deletedDate)))
      .orderBy(asc(workspaces.name)),
    ofOrganization.select(roles, eq(roles.kind, 'workspace')).orderBy(asc(roles.name)),
  ])
  return { workspaces: rooms, roles: found.map(({ id, name }) => ({ id: String(id), name: String(name) })) }
}

function listed(c: Context<AppEnv>, row: ProviderRow): ListedProvider {
  const { organizationId: _, clientSecret: __, ...shown } = row
  return { ...shown, redirectUri: redirectUriOf(c, row.id) }
}

async function ownedProvider(c: Context<AppEnv>, owner: Owner, id: string): Promise<ProviderRow> {
  const row = await findOwned(c.get('services').db, owner, id)
  if (!row) throw new HeddleError('not_found', `Identity provider ${id} not found`)
  return row
}

type Settings = Omit<ProviderChange, 'clientSecret' | 'isEnabled'>

function checkSettings(kind: ProviderRow['kind'], given: Settings) {
  const issuer = FIXED_ISSUERS[kind] ?? given.issuer ?? ''
  const problem = issuerProblem(kind, issuer)
  if (problem) throw new HeddleError('bad_request', `issuer: ${problem}`, { field: 'issuer' })
  return {
    name: given.name,
    issuer,
    clientId: given.clientId,
    isRequired: given.isRequired ?? false,
    defaultRole: given.defaultRole ?? null,
    groupsClaim: given.groupsClaim ?? 'groups',
    groupRoles: given.groupRoles ?? [],
  }
}

function assertOwned({ organizationId }: Owner, { isRequired }: ProviderRow): void {
  if (organizationId !== null || !isRequired) return
  const message = 'isRequired: Only the provider of an organization can be required, for the domains that it has proven'
  throw new HeddleError('bad_request', message, { field: 'isRequired' })
}

const isRequiredNow = ({ isRequired, isEnabled }: ProviderRow) => isRequired && isEnabled

/** Throws `bad_request` while the provider is the only way in for every admin, and has not let one in yet. */
async function assertAdminsComeIn(db: Database, { organizationId, issuer }: ProviderRow): Promise<void> {
  if (organizationId === null || (await isAnyAdminSpared(db, { organizationId, issuer }))) return
  const message =
    'isRequired: No admin could sign in if the provider failed. Add a second step or a passkey to your account, or link it with the provider, first'
  throw new HeddleError('bad_request', message, { field: 'isRequired' })
}

function untested(): HeddleError {
  const message =
    'isEnabled: Test the sign-in first. A provider can be on only after a sign-in with its settings worked'
  return new HeddleError('bad_request', message, { field: 'isEnabled' })
}

/** A stored secret goes to the issuer that it was entered for, and to no other. */
function secretNeeded(): HeddleError {
  const message =
    'clientSecret: Enter the client secret again: a stored secret is not used with another issuer or client ID'
  return new HeddleError('bad_request', message, { field: 'clientSecret' })
}

const SHOWN_COLUMNS = [
  'name',
  'issuer',
  'clientId',
  'isEnabled',
  'isRequired',
  'defaultRole',
  'groupsClaim',
  'groupRoles',
] as const

function changeOf(before: ProviderRow, after: ProviderRow): Record<string, unknown> {
  const changed = SHOWN_COLUMNS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const fields: [string, unknown][] = changed.map((name) => [name, [before[name], after[name]]])
  const hasNewSecret = before.clientSecret !== after.clientSecret
  return Object.fromEntries([...fields, ...(hasNewSecret ? [['clientSecret', 'changed']] : [])])
}
