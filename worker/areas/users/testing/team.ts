/** An organization for tests: people with roles of their own in one workspace, who are signed in. */
import { and, eq } from 'drizzle-orm'
import type { SessionUser } from '#contract/account/account.ts'
import { auditEvents, organizationMembers, rateLimits, roles } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import type { TestClient, TestHeddle } from '#worker/local/testing/heddle.ts'
import { joinWorkspace, userOf } from '../../../http/testing/people.ts'

export interface Teammate extends SessionUser {
  client: TestClient
  /** The role in the workspace. */
  roleId: string
  call(method: string, path: string, json?: unknown): ReturnType<typeof call>
}

/** What a teammate may do: in the organization, and in the workspace. */
interface Rights {
  isAdmin?: boolean
  organization?: string[]
  workspace?: string[]
}

export async function startTeam(heddle: TestHeddle) {
  const { database } = heddle
  // Tests register more people than one address may.
  await database.delete(rateLimits)
  const client = await heddle.signUp()
  const owner = await userOf(client)
  const organizationId = owner.activeOrganizationId
  const asTeammate = async (client: TestClient, roleId: string): Promise<Teammate> => ({
    ...(await userOf(client)),
    ...{ client, roleId, call: (method, path, json) => call(client, method, path, json) },
  })
  return {
    organizationId,
    workspaceId: owner.activeWorkspaceId,
    ada: await asTeammate(client, ''),
    async join({ isAdmin = false, organization, workspace = ['tools:view'] }: Rights = {}): Promise<Teammate> {
      const joining = await heddle.signUp()
      const { roleId, setPermissions } = await joinWorkspace(heddle, joining, client)
      await setPermissions(workspace)
      const { id: userId } = await userOf(joining)
      const ownRole =
        organization && (await addRole(heddle, { organizationId, kind: 'organization', permissions: organization }))
      const isMember = and(
        eq(organizationMembers.organizationId, organizationId),
        eq(organizationMembers.userId, userId),
      )
      await database
        .update(organizationMembers)
        .set({ isAdmin, roleId: ownRole ?? null })
        .where(isMember)
      return asTeammate(joining, roleId)
    },
    memberRow: async (userId: string) =>
      (await database.select().from(organizationMembers).where(eq(organizationMembers.userId, userId))).find(
        (row) => row.organizationId === organizationId,
      ),
    /** The names of the organization's audit events, with their targets. */
    events: async () =>
      (await database.select().from(auditEvents).where(eq(auditEvents.organizationId, organizationId))).map(
        ({ event, targetName }) => `${event} ${targetName}`,
      ),
  }
}

export type Team = Awaited<ReturnType<typeof startTeam>>

export async function addRole(
  { database }: Pick<TestHeddle, 'database'>,
  given: { organizationId: string; kind: 'organization' | 'workspace'; permissions: string[] },
): Promise<string> {
  const id = crypto.randomUUID()
  await database.insert(roles).values({ id, name: `Role ${id}`, createdDate: '2026-01-01T00:00:00.000Z', ...given })
  return id
}
