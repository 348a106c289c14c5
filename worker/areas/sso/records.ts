/** The rows of identity providers. One belongs to an organization, or to the platform, which offers it to everybody. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { identityProviders } from '#db/schema/index.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'

export type ProviderRow = typeof identityProviders.$inferSelect

/** Organization that owns the providers; null for the platform. */
export interface Owner {
  organizationId: string | null
}

/** Returns a handle and the condition that holds its statements to the owner's providers. */
export function providersOf(db: Database, { organizationId }: Owner) {
  if (organizationId !== null) {
    return { handle: db, owned: organizationScope(db, { organizationId }).inOrganization(identityProviders) }
  }
  const handle = acrossOrganizations(db, 'the platform’s identity providers belong to no organization')
  return { handle, owned: isNull(identityProviders.organizationId) }
}

/** Returns the provider that a sign-in names, whosever it is. */
export async function findProvider(db: Database, id: string): Promise<ProviderRow | undefined> {
  const handle = acrossOrganizations(db, 'a sign-in names its provider by id, before anybody is known')
  const [row] = await handle.select().from(identityProviders).where(eq(identityProviders.id, id))
  return row
}

export async function findOwned(db: Database, owner: Owner, id: string): Promise<ProviderRow | undefined> {
  const { handle, owned } = providersOf(db, owner)
  const [row] = await handle
    .select()
    .from(identityProviders)
    .where(and(owned, eq(identityProviders.id, id)))
  return row
}

export function insertProvider(db: Database, row: ProviderRow) {
  const { organizationId, ...values } = row
  if (organizationId !== null) return organizationScope(db, { organizationId }).insert(identityProviders, values)
  return providersOf(db, row).handle.insert(identityProviders).values(row)
}

/** People may sign in with it: it is on, and was tested since its settings changed. */
export const isOn = ({ isEnabled, testedDate }: ProviderRow): boolean => isEnabled && testedDate !== null
