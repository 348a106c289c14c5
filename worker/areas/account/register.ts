import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import type { registerSchema } from '#contract/account.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, organizations, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { sameText } from '../../http/session/secrets.ts'
import type { Services } from '../../services.ts'
import { hashPassword } from '../auth/index.ts'
import { setupCheck } from './setup.ts'

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Creates a user with an organization and a workspace. Returns the user's id. */
export async function register(services: Services, given: z.infer<typeof registerSchema>): Promise<string> {
  const { registrationOpen, needsToken } = await setupCheck(services)
  if (!registrationOpen) throw registrationClosed()
  if (needsToken) checkSetupToken(services.config, given.setupToken)
  const passwordHash = await hashPassword(given.password)
  const wrappedKey = await services.cipher.createWorkspaceKey()
  const createdDate = services.clock.now().toISOString()
  const [userId, organizationId, workspaceId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]

  await services.db.transaction(async (tx) => {
    await assertMayJoin(tx, services.config.platformType === 'cloud', given.email)
    await tx.insert(organizations).values({ id: organizationId, name: `${given.name}'s organization`, createdDate })
    await tx
      .insert(workspaces)
      .values({ id: workspaceId, organizationId, name: 'Default Workspace', wrappedKey, createdDate })
    await tx.insert(users).values({
      id: userId,
      email: given.email,
      name: given.name,
      passwordHash,
      activeWorkspaceId: workspaceId,
      lastLogin: createdDate,
      createdDate,
    })
    await tx.insert(organizationMembers).values({ organizationId, userId, isAdmin: true })
    await tx.insert(workspaceMembers).values({ workspaceId, userId })
  })
  return userId
}

/** Ensures that the operator, not the first visitor, creates the first account. */
function checkSetupToken({ setupToken = '' }: Services['config'], given = ''): void {
  if (setupToken !== '' && sameText(given, setupToken)) return
  const message = 'setupToken: Wrong setup token. Enter the value of SETUP_TOKEN on the server.'
  throw new HeddleError('bad_request', message, { field: 'setupToken' })
}

/** Runs inside the transaction, so that two parallel registrations cannot both pass. */
async function assertMayJoin(tx: Transaction, isCloud: boolean, email: string): Promise<void> {
  const [taken] = await tx
    .select({ id: users.id })
    .from(users)
    .where(isCloud ? eq(users.email, email) : undefined)
    .limit(1)
  if (!taken) return
  if (!isCloud) throw registrationClosed()
  throw new HeddleError('bad_request', 'email: This email is already registered. Sign in instead.', {
    field: 'email',
  })
}

function registrationClosed(): HeddleError {
  return new HeddleError(
    'bad_request',
    'Registration is closed because this installation already has an account. Sign in instead.',
  )
}
