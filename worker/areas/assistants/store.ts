/** Assistants of one workspace. */
import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Assistant, AssistantType, ListedAssistant } from '#contract/assistants/assistants.ts'
import { HeddleError } from '#contract/errors.ts'
import { assistants, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { usageCount } from '../usages/index.ts'

export type Store = Pick<Services, 'db' | 'clock'>

/** Sorted by latest update. */
export async function listAssistants(
  { db }: Store,
  tenant: Tenant,
  { type }: { type?: AssistantType },
): Promise<ListedAssistant[]> {
  // A custom assistant is used as the flow that it runs as.
  const kind = sql`iif(${assistants.type} = 'CUSTOM', 'flow', 'assistant')`
  return db
    .select({ ...getTableColumns(assistants), usageCount: usageCount(db, tenant, { kind, asset: assistants.id }) })
    .from(assistants)
    .where(scope(db, tenant).inWorkspace(assistants, type && eq(assistants.type, type)))
    .orderBy(desc(assistants.updatedDate), desc(assistants.id))
}

/** Returns the document stores that assistants may search, sorted by name. As in Flowise, `name` is the id. */
export async function listSearchableStores({ db }: Pick<Store, 'db'>, tenant: Tenant) {
  const { id: name, name: label, description, status } = documentStores
  return db
    .select({ name, label, description })
    .from(documentStores)
    .where(scope(db, tenant).inWorkspace(documentStores, eq(status, 'UPSERTED')))
    .orderBy(asc(label), asc(name))
}

/** Throws `not_found`. */
export async function readAssistant({ db }: Pick<Store, 'db'>, tenant: Tenant, id: string): Promise<Assistant> {
  const [row] = await scope(db, tenant).select(assistants, eq(assistants.id, id))
  if (!row) throw new HeddleError('not_found', `Assistant ${id} not found`)
  return row as Assistant
}
