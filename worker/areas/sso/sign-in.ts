/** Signing in with a provider, from the first redirect to the last. People read pages, so refusals are redirects too. */
import { and, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { isOwnPath } from '#contract/data/own-path.ts'
import { errorReport, HeddleError } from '#contract/errors.ts'
import { resultOfRefusal } from '#contract/organization/sessions.ts'
import type { SsoRefusalReason } from '#contract/organization/sso.ts'
import type { ProvenIdentity } from '#contract/organization/sso-rules.ts'
import { identityProviders, userIdentities } from '#db/schema/index.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { signInEvent } from '../../emails/notices.ts'
import { auditEvent } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { identityQuery, userActor, verifiedIdentity } from '../../http/session/identity.ts'
import { speaksForAccount } from '../../http/session/managed-account.ts'
import { noteProof, noteSignIn, providerOfSession, startSession } from '../auth/index.ts'
import { enter } from './enter.ts'
import { addIdentity } from './entry-statements.ts'
import { type Answer, beginJourney, type Purpose, readIdentity, takeJourney } from './journeys.ts'
import { findProvider, isOn, type ProviderRow, providersOf } from './records.ts'
import { SsoRefusal } from './refusal.ts'

/** Sends the browser to the provider. */
export async function startSignIn(c: Context<AppEnv>, id: string, next: string): Promise<Response> {
  try {
    const row = await findProvider(c.get('services').db, id)
    if (!row || !isOn(row)) throw new SsoRefusal('off')
    return c.redirect(await beginJourney(c, row, { kind: 'sign-in', next: isOwnPath(next) ? next : '' }))
  } catch (error) {
    return toPage(c, '/signin', { sso: reasonOf(error) })
  }
}

/** Takes what the provider sent the browser back with. */
export async function receiveAnswer(c: Context<AppEnv>, id: string, answer: Answer): Promise<Response> {
  let purpose: Purpose | undefined
  let row: ProviderRow | undefined
  try {
    row = await findProvider(c.get('services').db, id)
    const taken = await takeJourney(c, id, answer)
    purpose = taken.purpose
    if (!row || (purpose.kind !== 'test' && !isOn(row))) throw new SsoRefusal('off')
    const identity = await readIdentity(c.get('services'), row, { answer, journey: taken.journey })
    return await finish(c, row, { purpose, identity })
  } catch (error) {
    return refuse(c, { purpose, row, error })
  }
}

interface Arrived {
  purpose: Purpose
  identity: ProvenIdentity
}

async function finish(c: Context<AppEnv>, row: ProviderRow, { purpose, identity }: Arrived): Promise<Response> {
  if (purpose.kind === 'test') {
    await noteTest(c, row, purpose)
    return toPage(c, ...configPage(row, { tested: 'ok' }))
  }
  if (purpose.kind === 'link') {
    await link(c, row, { identity, sessionId: purpose.sessionId })
    return toPage(c, '/account', { tab: 'identities', linked: 'ok' })
  }
  if (purpose.kind === 'confirm') {
    await confirm(c, row, { identity, sessionId: purpose.sessionId })
    return toPage(c, '/sso-confirmed', {})
  }
  const { userId, activeWorkspaceId } = await enter(c, row, identity)
  await startSession(c, userId, { method: 'sso', provider: row, activeWorkspaceId })
  return toPage(c, '/sso-success', purpose.next === '' ? {} : { next: purpose.next })
}

async function refuse(
  c: Context<AppEnv>,
  { purpose, row, error }: { purpose: Purpose | undefined; row: ProviderRow | undefined; error: unknown },
): Promise<Response> {
  const reason = reasonOf(error)
  if (purpose?.kind === 'test' && row) return toPage(c, ...configPage(row, { tested: reason }))
  if (purpose?.kind === 'link') return toPage(c, '/account', { tab: 'identities', linked: reason })
  if (purpose?.kind === 'confirm') return toPage(c, '/sso-confirmed', { failed: reason })
  await noteSignIn(c, {
    userId: error instanceof SsoRefusal ? error.userId : null,
    organizationId: row?.organizationId ?? null,
    method: 'sso',
    result: resultOfRefusal(reason),
  })
  return toPage(c, '/signin', { sso: reason })
}

/** Who may configure a provider tests it; its settings must be those that the test began with. */
async function noteTest(c: Context<AppEnv>, row: ProviderRow, test: Extract<Purpose, { kind: 'test' }>): Promise<void> {
  const { db, clock } = c.get('services')
  const actor = await returningUser(c, test.sessionId)
  const isTheirs =
    row.organizationId === null
      ? actor.isPlatformAdmin
      : row.organizationId === actor.organizationId && actor.isOrganizationAdmin
  if (!isTheirs || row.updatedDate !== test.updatedDate) throw new SsoRefusal('expired')
  const { handle, owned } = providersOf(db, row)
  const isSame = and(owned, eq(identityProviders.id, row.id), eq(identityProviders.updatedDate, test.updatedDate))
  const target = { id: row.id, name: identityProviders.name, of: identityProviders, where: isSame }
  await db.batch([
    auditEvent(c, actor, { event: 'identity-provider.test', target, ofOrganization: true }),
    handle.update(identityProviders).set({ testedDate: clock.now().toISOString() }).where(isSame),
  ])
}

async function link(
  c: Context<AppEnv>,
  row: ProviderRow,
  { identity, sessionId }: { identity: ProvenIdentity; sessionId: string },
): Promise<void> {
  const { db, clock } = c.get('services')
  const actor = await returningUser(c, sessionId)
  if (!(await speaksForAccount(db, actor))) throw new SsoRefusal('off', 'the session is of one organization')
  if (!mayLink(actor, row)) throw new SsoRefusal(actor.isPlatformAdmin ? 'platform_admin' : 'off')
  const isThis = and(eq(userIdentities.issuer, identity.issuer), eq(userIdentities.subject, identity.subject))
  const [known] = await db.select().from(userIdentities).where(isThis)
  if (known && known.userId !== actor.userId) throw new SsoRefusal('taken')
  if (known) return
  await db.batch([
    addIdentity({ db, now: clock.now().toISOString(), userId: actor.userId, identity }),
    ...signInEvent(c, actor, {
      event: 'account.link-identity',
      change: { issuer: [null, identity.issuer], email: [null, identity.email] },
      detail: row.name,
    }),
  ])
  sendEmailsLater(c)
}

/** Only who the session is of, at the provider that opened it, proves to be there. */
async function confirm(
  c: Context<AppEnv>,
  row: ProviderRow,
  { identity, sessionId }: { identity: ProvenIdentity; sessionId: string },
): Promise<void> {
  const services = c.get('services')
  const actor = await returningUser(c, sessionId)
  const [known] = await services.db
    .select({ userId: userIdentities.userId })
    .from(userIdentities)
    .where(and(eq(userIdentities.issuer, identity.issuer), eq(userIdentities.subject, identity.subject)))
  const provider = await providerOfSession(services, sessionId)
  if (known?.userId !== actor.userId || provider?.id !== row.id)
    throw new SsoRefusal('taken', 'somebody else proved to be there')
  await noteProof(services, sessionId)
}

/**
 * The platform admin never comes through an organization's provider, and a session that one opened links nothing: what it
 * linked would open the account in organizations that the person joins later.
 */
export const mayLink = (actor: UserActor, { organizationId }: Pick<ProviderRow, 'organizationId'>): boolean =>
  actor.limitedTo === null &&
  (organizationId === null || (organizationId === actor.organizationId && !actor.isPlatformAdmin))

/** The session's own cookies do not come back with the browser: they are SameSite=Strict. */
async function returningUser(c: Context<AppEnv>, sessionId: string): Promise<UserActor> {
  const { db, clock, config } = c.get('services')
  const [row] = await identityQuery(db, sessionId)
  return userActor(verifiedIdentity(row, clock.now()), config)
}

function reasonOf(error: unknown): SsoRefusalReason {
  if (error instanceof SsoRefusal) return error.reason
  if (error instanceof HeddleError && error.code === 'unauthorized') return 'expired'
  console.error('sign-in with a provider:', errorReport(error))
  return 'failed'
}

type Page = [path: string, search: Record<string, string>]

/** Where the provider is configured. */
function configPage({ organizationId }: Pick<ProviderRow, 'organizationId'>, search: Record<string, string>): Page {
  return organizationId === null ? ['/sso-config', search] : ['/account', { tab: 'sso', ...search }]
}

function toPage(c: Context<AppEnv>, ...[path, search]: Page): Response {
  const query = new URLSearchParams(search).toString()
  return c.redirect(`${c.get('services').config.uiOrigin ?? ''}${path}${query && `?${query}`}`)
}
