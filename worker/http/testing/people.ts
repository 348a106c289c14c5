/** The callers of the route walk: members of two organizations, and API keys. */
import { eq, inArray } from 'drizzle-orm'
import type { SessionUser } from '#contract/account/account.ts'
import {
  apikeys,
  identityProviders,
  organizationMembers,
  roles,
  sessions,
  users,
  workspaceMembers,
} from '#db/schema/index.ts'
import type { TestClient, TestHeddle } from '../../local/testing/heddle.ts'
import { tokenHash } from '../session/secrets.ts'

const DATE = '2026-01-01T00:00:00.000Z'

export async function userOf(client: TestClient): Promise<SessionUser> {
  return (await client.fetch('/api/v1/auth/me')).json() as Promise<SessionUser>
}

/**
 * Moves a registered user into another workspace, with a role of their own there, one in its organization, and no other
 * rights. Of what is set, each role gives the permissions of its kind.
 */
export async function joinWorkspace({ database }: Pick<TestHeddle, 'database'>, person: TestClient, host: TestClient) {
  const [member, owner] = [await userOf(person), await userOf(host)]
  const { activeOrganizationId: organizationId, activeWorkspaceId: workspaceId } = owner
  const [roleId, organizationRoleId] = [crypto.randomUUID(), crypto.randomUUID()]
  const role = { organizationId, name: 'Tester', permissions: [], createdDate: DATE }
  await database.insert(roles).values({ ...role, id: roleId })
  await database.insert(roles).values({ ...role, id: organizationRoleId, kind: 'organization' })
  await database
    .insert(organizationMembers)
    .values({ organizationId, userId: member.id, roleId: organizationRoleId, isAdmin: false, createdDate: DATE })
  await database.insert(workspaceMembers).values({ workspaceId, userId: member.id, roleId })
  await database.update(users).set({ activeWorkspaceId: workspaceId }).where(eq(users.id, member.id))
  await database.update(sessions).set({ activeWorkspaceId: workspaceId }).where(eq(sessions.userId, member.id))
  return {
    roleId,
    setPermissions: (permissions: string[]) =>
      database
        .update(roles)
        .set({ permissions })
        .where(inArray(roles.id, [roleId, organizationRoleId])),
  }
}

/** Somebody who can sign in with the password of whoever is their likeness. */
interface Likeness {
  of: SessionUser
  password: string
  name: string
  email: string
  /** Where they work; by default where their likeness does. */
  activeWorkspaceId?: string
}

/** Inserts somebody, of no organization yet, and returns a function that signs them in. */
export async function putPerson(
  { database, newClient }: Pick<TestHeddle, 'database' | 'newClient'>,
  { of, password, ...person }: Likeness,
): Promise<{ id: string; signIn(): Promise<TestClient> }> {
  const [likeness] = await database.select().from(users).where(eq(users.id, of.id))
  const id = crypto.randomUUID()
  await database
    .insert(users)
    .values({ ...(likeness as typeof users.$inferSelect), ...person, ...{ id, isInstaller: false } })
  const signIn = async () => {
    const client = newClient()
    const json = { email: person.email, password }
    const answer = await client.fetch('/api/v1/auth/login', { method: 'POST', json })
    if (!answer.ok) throw new Error(`Signing in returned ${answer.status}: ${await answer.text()}`)
    return client
  }
  return { id, signIn }
}

/**
 * Opens the session of a new person for one organization, as its identity provider would. In each of the organizations
 * that person is an admin, and has just proved to be there.
 * @param host whose organization it is, and whose password the person has
 */
export async function openLimited(
  heddle: Pick<TestHeddle, 'database' | 'newClient'>,
  host: SessionUser,
  { organizationIds, password }: { organizationIds: string[]; password: string },
): Promise<TestClient> {
  const { database } = heddle
  const likeness = { of: host, password, email: 'limited@example.com', name: 'Limited' }
  const { id, signIn } = await putPerson(heddle, likeness)
  for (const organizationId of [host.activeOrganizationId, ...organizationIds]) {
    const member = { organizationId, userId: id, isAdmin: true, createdDate: DATE }
    await database.insert(organizationMembers).values(member)
  }
  const client = await signIn()
  const provider = { id: crypto.randomUUID(), organizationId: host.activeOrganizationId, groupRoles: [] }
  await database.insert(identityProviders).values({
    ...provider,
    ...{ kind: 'oidc', name: 'Limited', issuer: 'https://limited.example', clientId: 'c', clientSecret: '' },
    ...{ createdDate: DATE, updatedDate: DATE },
  })
  await database.update(sessions).set({ identityProviderId: provider.id }).where(eq(sessions.userId, id))
  return client
}

/** Inserts an API key into the database and returns it. */
export async function putKey({ database }: TestHeddle, key: { workspaceId: string; permissions: string[] }) {
  const apiKey = `test-${crypto.randomUUID()}`
  await database.insert(apikeys).values({
    id: crypto.randomUUID(),
    keyName: 'Test',
    keyHash: tokenHash(apiKey),
    keyHint: apiKey.slice(-4),
    createdDate: DATE,
    updatedDate: DATE,
    // Just used: nothing is written when it is used again.
    lastUsedDate: new Date().toISOString(),
    ...key,
  })
  return apiKey
}
