/** Document stores of one workspace. */
import { eq, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { createStoreSchema, DocumentStore, updateStoreSchema } from '#contract/document-stores/stores.ts'
import type { Database } from '#db/client.ts'
import { documentSources, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { forgetUsages } from '../usages/index.ts'
import { answeredStore, storeNotFound, storeRead } from './read-stores.ts'
import type { StoreViewer } from './store-statements.ts'

type Store = Pick<Services, 'db' | 'clock'>

export async function createStore(
  { db, clock }: Store,
  viewer: StoreViewer,
  values: z.infer<typeof createStoreSchema>,
): Promise<DocumentStore> {
  const now = clock.now().toISOString()
  const row = { ...values, id: crypto.randomUUID(), status: 'EMPTY' as const, createdDate: now, updatedDate: now }
  const [, ...rows] = await db.batch([
    scope(db, viewer.tenant).insert(documentStores, row),
    ...storeRead(db, viewer, row.id),
  ])
  return answeredStore(rows, row.id)
}

export async function updateStore(
  { db, clock }: Store,
  viewer: StoreViewer,
  { id, values }: { id: string; values: z.infer<typeof updateStoreSchema> },
): Promise<DocumentStore> {
  const updatedDate = clock.now().toISOString()
  const [, ...rows] = await db.batch([
    scope(db, viewer.tenant).update(documentStores, eq(documentStores.id, id), { ...values, updatedDate }),
    ...storeRead(db, viewer, id),
  ])
  return answeredStore(rows, id)
}

/**
 * Its loaders, files, chunks and jobs go with it, and triggers of the database list its originals and its search index.
 */
export async function deleteStore({ db }: Pick<Store, 'db'>, tenant: Tenant, id: string) {
  const [deleted] = await db.batch([
    scope(db, tenant).delete(documentStores, eq(documentStores.id, id)).returning({ id: documentStores.id }),
    forgetUsages(db, tenant, { kind: 'documentStore', id }),
  ])
  if (deleted.length === 0) throw storeNotFound(id)
  return { raw: [], affected: deleted.length }
}

/** Returns the bytes of a store's originals, for its `totalBytes`. */
export const originalBytes = (db: Database, storeId: string): SQL<number> =>
  sql<number>`(${db
    .select({ bytes: sql`coalesce(sum(${documentSources.size}), 0)` })
    .from(documentSources)
    .where(sql`${documentSources.storeId} = ${storeId} and ${documentSources.isStored}`)})`
