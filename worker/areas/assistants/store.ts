/** Assistants of one workspace. */
import { desc, eq } from 'drizzle-orm'
import type { Assistant, AssistantType } from '#contract/assistants.ts'
import { HeddleError } from '#contract/errors.ts'
import { assistants } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'

export type Store = Pick<Services, 'db' | 'clock'>

/** Sorted by latest update. */
export async function listAssistants(
  { db }: Store,
  tenant: Tenant,
  { type }: { type?: AssistantType },
): Promise<Assistant[]> {
  return scope(db, tenant)
    .select(assistants, type && eq(assistants.type, type))
    .orderBy(desc(assistants.updatedDate), desc(assistants.id))
}

/** Throws `not_found`. */
export async function readAssistant({ db }: Pick<Store, 'db'>, tenant: Tenant, id: string): Promise<Assistant> {
  const [row] = await scope(db, tenant).select(assistants, eq(assistants.id, id))
  if (!row) throw new HeddleError('not_found', `Assistant ${id} not found`)
  return row as Assistant
}
