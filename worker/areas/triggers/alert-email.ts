/** Limits on alert emails: recipients, frequency and content. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { organizationMembers, users, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations, type Tenant } from '#db/scope.ts'
import { tryTakeFrom } from '../../http/rate-limit.ts'
import type { Services } from '../../services.ts'

/** Emails per workspace. */
const PER_HOUR = 20

/** True when the address belongs to an active member of the workspace's organization. */
export async function isMember(db: Database, { workspaceId }: Tenant, email: string): Promise<boolean> {
  const [member] = await acrossOrganizations(db, 'an alert goes to the people of the trigger’s workspace')
    .select({ id: users.id })
    .from(users)
    .innerJoin(organizationMembers, eq(organizationMembers.userId, users.id))
    .innerJoin(workspaces, eq(workspaces.organizationId, organizationMembers.organizationId))
    .where(
      and(
        eq(workspaces.id, workspaceId),
        eq(users.email, email.toLowerCase()),
        eq(users.status, 'active'),
        isNull(organizationMembers.disabledDate),
      ),
    )
    .limit(1)
  return member !== undefined
}

/** Counts an email. Returns false when the workspace has reached its hourly limit. */
export const takeEmailQuota = (services: Pick<Services, 'db' | 'clock'>, { workspaceId }: Tenant): Promise<boolean> =>
  tryTakeFrom(services, { key: `emails of ${workspaceId}`, max: PER_HOUR, windowSeconds: 3600 })

/** Returns the first `max` characters on one line, with URLs and email addresses removed. */
export function withoutAddresses(text: string, max: number): string {
  return text
    .slice(0, max)
    .split(/\s+/)
    .map((word) => (ADDRESS.test(word) ? '(address removed)' : word))
    .join(' ')
}

const ADDRESS = /@|:\/\/|^\W*www\.|[a-z\d]\.[a-z]{2,}\//i
