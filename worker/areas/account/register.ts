import { and, eq, exists, ne, not, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type * as z from 'zod'
import { BUILT_IN_ROLES, builtInRoleDescriptions, builtInRoleNames } from '#contract/access/index.ts'
import type { registerSchema, SessionUser } from '#contract/account/account.ts'
import { HeddleError } from '#contract/errors.ts'
import { EMAIL_SENT } from '#contract/organization/email-calls.ts'
import { insertWhen } from '#db/insert-when.ts'
import { organizationMembers, organizations, roles, users, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { countEmail, queueEmail } from '../../emails/queue.ts'
import { endTokens } from '../../emails/tokens.ts'
import type { AppEnv } from '../../http/route.ts'
import { rememberRegistration } from '../../http/session/cookies.ts'
import { sameText } from '../../http/session/secrets.ts'
import type { Services } from '../../services.ts'
import { hashPassword, startSession } from '../auth/index.ts'
import { assertBasicAuth } from './basic-auth.ts'
import { setupCheck } from './setup.ts'

type Registration = z.infer<typeof registerSchema>

/** Makes the first account and signs in; in cloud anybody's, whose address an email confirms first. */
export async function register(c: Context<AppEnv>, given: Registration): Promise<SessionUser | { message: string }> {
  const { config } = c.get('services')
  return config.platformType === 'cloud' ? registerInCloud(c, given) : registerFirst(c, given)
}

async function registerFirst(c: Context<AppEnv>, given: Registration): Promise<SessionUser> {
  const services = c.get('services')
  const { registrationOpen, needsToken } = await setupCheck(services)
  if (!registrationOpen) throw registrationClosed()
  await assertBasicAuth(c)
  if (needsToken) checkSetupToken(services.config, given.setupToken)
  const { db } = services
  const nobody = not(exists(db.select({ id: users.id }).from(users)))
  const { id, statements } = await makeAccount(services, given, { when: nobody, status: 'active' })
  await db.batch([...statements])
  const [made] = await db.select({ id: users.id }).from(users).where(eq(users.id, id))
  if (!made) throw registrationClosed()
  return startSession(c, id)
}

/**
 * The same answer after the same hash and the same statements, whether the address is new, waits to be confirmed, or is
 * an account's: only the owner of the address learns which, by email. Of two registrations that nobody confirmed, the
 * email of the later one counts. Its password opens the account only when it is confirmed in the browser that chose it.
 */
async function registerInCloud(c: Context<AppEnv>, given: Registration): Promise<{ message: string }> {
  const services = c.get('services')
  const { db } = services
  await countEmail(services, given.email)
  const isTaken = db.select({ id: users.id }).from(users).where(eq(users.email, given.email))
  const account = await makeAccount(services, given, { when: not(exists(isTaken)), status: 'unverified' })
  const waits = and(eq(users.email, given.email), eq(users.status, 'unverified'))
  const waiting = db.select({ id: users.id }).from(users).where(waits)
  const confirmed = and(eq(users.email, given.email), ne(users.status, 'unverified'))
  const known = db.select({ id: users.id }).from(users).where(confirmed)
  const address = given.email
  await db.batch([
    ...account.statements,
    db.update(users).set({ name: given.name, passwordHash: account.passwordHash }).where(waits),
    endTokens(services, { kind: 'verify-email', address, subject: '' }),
    queueEmail(services, { kind: 'verify-email', address, userId: sql`${waiting}` }, sql`exists ${waiting}`),
    queueEmail(services, { kind: 'account-exists', address, userId: sql`${known}` }, sql`exists ${known}`),
  ])
  await rememberRegistration(c, account.passwordHash)
  sendEmailsLater(c)
  return { message: EMAIL_SENT }
}

/** Returns the statements that make a user with an organization and a workspace, all of it or nothing. */
async function makeAccount(
  { db: guarded, cipher, clock, config }: Services,
  { name, email, password }: Registration,
  { when, status }: { when: SQL; status: 'active' | 'unverified' },
) {
  const passwordHash = await hashPassword(password)
  const wrappedKey = await cipher.createWorkspaceKey()
  const createdDate = clock.now().toISOString()
  const [id, organizationId, workspaceId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const db = acrossOrganizations(guarded, 'an organization is made together with its first member')
  const isInstaller = config.platformType !== 'cloud'
  const user = { id, email, name, passwordHash, status, activeWorkspaceId: workspaceId, isInstaller }
  const isMade = exists(db.select({ id: users.id }).from(users).where(eq(users.id, id)))
  const ofOrganization = { organizationId, createdDate }
  const statements = [
    insertWhen(db, users, { ...user, createdDate }, when),
    insertWhen(db, organizations, { id: organizationId, name: `${name}'s organization`, createdDate }, isMade),
    ...BUILT_IN_ROLES.map((builtIn) => {
      const [roleName, description] = [builtInRoleNames[builtIn], builtInRoleDescriptions[builtIn]]
      const role = { id: crypto.randomUUID(), name: roleName, description, builtIn, permissions: [] }
      return insertWhen(db, roles, { ...ofOrganization, ...role }, isMade)
    }),
    insertWhen(db, workspaces, { ...ofOrganization, id: workspaceId, name: 'Default Workspace', wrappedKey }, isMade),
    insertWhen(db, organizationMembers, { ...ofOrganization, userId: id, isAdmin: true }, isMade),
  ] as const
  return { id, passwordHash, statements }
}

/** Ensures that the operator, not the first visitor, creates the first account. */
function checkSetupToken({ setupToken = '' }: Services['config'], given = ''): void {
  if (setupToken !== '' && sameText(given, setupToken)) return
  const message = 'setupToken: Wrong setup token. Enter the value of SETUP_TOKEN on the server.'
  throw new HeddleError('bad_request', message, { field: 'setupToken' })
}

function registrationClosed(): HeddleError {
  return new HeddleError(
    'bad_request',
    'Registration is closed because this installation already has an account. Sign in instead.',
  )
}
