/** Letters to people: to whom they may go, how often, and what may stand in them. */
import { and, eq } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, users, workspaces } from '#db/schema/index.ts'
import type { Tenant } from '#db/scope.ts'
import { takeFrom } from '../../http/rate-limit.ts'
import type { Services } from '../../services.ts'

/** Letters for one workspace. */
const PER_HOUR = 20

/** Whether the address is that of an active member of the workspace's organisation. */
export async function isMember(db: Database, { workspaceId }: Tenant, email: string): Promise<boolean> {
  const [member] = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(organizationMembers, eq(organizationMembers.userId, users.id))
    .innerJoin(workspaces, eq(workspaces.organizationId, organizationMembers.organizationId))
    .where(and(eq(workspaces.id, workspaceId), eq(users.email, email.toLowerCase()), eq(users.status, 'active')))
    .limit(1)
  return member !== undefined
}

/** Counts a letter; false when the workspace has sent what it may within the hour. */
export async function takeEmailQuota(
  services: Pick<Services, 'db' | 'clock'>,
  { workspaceId }: Tenant,
): Promise<boolean> {
  try {
    await takeFrom(services, [{ key: `letters of ${workspaceId}`, max: PER_HOUR, windowSeconds: 3600 }])
    return true
  } catch (thrown) {
    if (thrown instanceof HeddleError) return false
    throw thrown
  }
}

/** The beginning of what somebody or a program wrote, on one line and without addresses of pages and people. */
export function withoutAddresses(text: string, max: number): string {
  return text
    .slice(0, max)
    .split(/\s+/)
    .map((word) => (ADDRESS.test(word) ? '(address removed)' : word))
    .join(' ')
}

const ADDRESS = /@|:\/\/|^\W*www\.|[a-z\d]\.[a-z]{2,}\//i
