/** Invitations of people whose address an identity provider has proven: they need no email. */
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { invitations } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { isStillBacked } from './grants.ts'

export type OpenInvitation = typeof invitations.$inferSelect

/** Returns the newest invitation of an address that can still be accepted, into one organization or, by null, into any. */
export async function findInvitation(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { email, organizationId }: { email: string; organizationId: string | null },
): Promise<OpenInvitation | undefined> {
  const handle: Database = acrossOrganizations(db, 'an invitation is found by the address that it is for')
  const found = await handle
    .select()
    .from(invitations)
    .where(
      and(
        eq(invitations.email, email),
        organizationId === null ? undefined : eq(invitations.organizationId, organizationId),
        isNull(invitations.acceptedDate),
        isNull(invitations.revokedDate),
        gt(invitations.expiresDate, clock.now().toISOString()),
      ),
    )
    .orderBy(desc(invitations.createdDate), desc(invitations.id))
  for (const invitation of found) if (await isStillBacked(handle, invitation)) return invitation
  return undefined
}
