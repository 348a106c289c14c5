/** Stores with their loaders, files, users and newest jobs, in one round trip however many they are. */
import { eq, or } from 'drizzle-orm'
import type * as z from 'zod'
import type { DocumentStore, listStoresSchema } from '#contract/document-stores/stores.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { documentStores } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { answerStores } from './answer-stores.ts'
import { type StoreRows, type StoreViewer, storeReads } from './store-statements.ts'

const FILES_IN_LIST = 5
const FILES_OF_STORE = 100

/** Sorted by latest update. With page and limit, returns one page and the total. */
export async function listStores(
  db: Database,
  viewer: StoreViewer,
  { page, limit, search }: z.infer<typeof listStoresSchema>,
) {
  const { name, description } = documentStores
  const match = search ? or(contains(name, search), contains(description, search)) : undefined
  const paged = page !== undefined && limit !== undefined ? { limit, offset: (page - 1) * limit } : undefined
  const [total, ...rows] = await db.batch([
    scope(db, viewer.tenant).count(documentStores, match),
    ...storeReads(db, viewer, { match, paged, files: FILES_IN_LIST }),
  ])
  const data = answerStores(rows)
  return paged ? { data, total: total[0]?.count ?? 0 } : data
}

/** Throws `not_found`. */
export async function readStore(db: Database, viewer: StoreViewer, id: string): Promise<DocumentStore> {
  return answeredStore(await db.batch(storeRead(db, viewer, id)), id)
}

/** Returns the statements that read one store, for the end of a batch. */
export const storeRead = (db: Database, viewer: StoreViewer, id: string) =>
  storeReads(db, viewer, { match: eq(documentStores.id, id), files: FILES_OF_STORE })

/** Throws `not_found` when the rows hold no store. */
export function answeredStore(rows: StoreRows, id: string): DocumentStore {
  const [store] = answerStores(rows)
  if (!store) throw storeNotFound(id)
  return store
}

export const storeNotFound = (id: string) => new HeddleError('not_found', `Document store ${id} not found`)
