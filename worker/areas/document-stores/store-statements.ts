/** The statements that read stores with their loaders, files, users and newest jobs. */
import { and, asc, count, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import { type AnySQLiteColumn, alias } from 'drizzle-orm/sqlite-core'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { Database } from '#db/client.ts'
import {
  assetUsages,
  assistants,
  chatflows,
  documentChunks,
  documentJobs,
  documentLoaders,
  documentSources,
  documentStores,
} from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { usageCount } from '../usages/index.ts'

/** The users of a store that the caller may view. */
export interface StoreViewer {
  tenant: Tenant
  /** The types of flows that the caller may view. */
  types: readonly FlowType[]
  assistants: boolean
}

const USERS_OF_STORE = 100

interface Selection {
  match?: SQL | undefined
  paged?: { limit: number; offset: number } | undefined
  /** Files of each loader. */
  files: number
}

/** Results of a batch of the statements. */
export type Rows<Statements> = { readonly [Index in keyof Statements]: Awaited<Statements[Index]> }
/** The results of the statements of `storeReads`, in their order. */
export type StoreRows = Rows<ReturnType<typeof storeReads>>

export function storeReads(db: Database, viewer: StoreViewer, { match, paged, files }: Selection) {
  const rows = scope(db, viewer.tenant)
  const order = [desc(documentStores.updatedDate), desc(documentStores.id)]
  const where = rows.inWorkspace(documentStores, match)
  const stores = db
    .select({
      ...getTableColumns(documentStores),
      usageCount: usageCount(db, viewer.tenant, { kind: 'documentStore', asset: documentStores.id }),
    })
    .from(documentStores)
    .where(where)
    .orderBy(...order)
  const ids = db
    .select({ id: documentStores.id })
    .from(documentStores)
    .where(where)
    .orderBy(...order)
  const cut = paged ?? { limit: -1, offset: 0 }
  const listed = (column: AnySQLiteColumn) => inArray(column, ids.limit(cut.limit).offset(cut.offset))
  return [
    stores.limit(cut.limit).offset(cut.offset),
    selectLoaders(db, viewer.tenant, listed),
    selectFiles(db, viewer.tenant, { listed, files }),
    selectUsers(db, viewer, listed),
    selectJobs(db, viewer.tenant, listed),
  ] as const
}

type Listed = (column: AnySQLiteColumn) => SQL

function selectLoaders(db: Database, tenant: Tenant, listed: Listed) {
  const { id, storeId, createdDate } = documentLoaders
  const ofLoader = eq(documentSources.docId, id)
  const sources = db.select({ count: count() }).from(documentSources)
  const conflicts = db
    .select({ count: count() })
    .from(documentChunks)
    .where(and(eq(documentChunks.docId, id), sql`${documentChunks.proposedContent} is not null`))
  const isThere = sql`${documentSources.status} <> 'GONE'`
  return db
    .select({
      ...getTableColumns(documentLoaders),
      filesTotal: sql<number>`(${sources.where(and(ofLoader, isThere))})`.as('files_total'),
      filesFailed: sql<number>`(${db
        .select({ count: count() })
        .from(documentSources)
        .where(and(ofLoader, eq(documentSources.status, 'FAILED')))})`.as('files_failed'),
      conflicts: sql<number>`(${conflicts})`.as('conflicts'),
    })
    .from(documentLoaders)
    .where(scope(db, tenant).foundInWorkspace(documentLoaders, listed(storeId)))
    .orderBy(asc(createdDate), asc(id))
}

/** Selects the first files of each loader, failed ones first. */
function selectFiles(db: Database, tenant: Tenant, { listed, files }: { listed: Listed; files: number }) {
  const file = alias(documentSources, 'file')
  const first = db
    .select({ id: file.id })
    .from(file)
    .where(and(eq(file.docId, documentLoaders.id), sql`${file.status} <> 'GONE'`))
    .orderBy(asc(file.status), asc(file.id))
    .limit(files)
  return db
    .select(getTableColumns(documentSources))
    .from(documentLoaders)
    .innerJoin(documentSources, inArray(documentSources.id, first))
    .where(scope(db, tenant).foundInWorkspace(documentLoaders, listed(documentLoaders.storeId)))
    .orderBy(asc(documentSources.status), asc(documentSources.createdDate), asc(documentSources.id))
}

function selectUsers(db: Database, { tenant, types, assistants: mayViewAssistants }: StoreViewer, listed: Listed) {
  const rows = scope(db, tenant)
  const { ownerKind, ownerId, asset } = assetUsages
  const isFlow = and(
    eq(ownerKind, 'flow'),
    eq(ownerId, chatflows.id),
    rows.foundInWorkspace(chatflows, types.length > 0 ? inArray(chatflows.type, [...types]) : sql`false`),
  )
  const isAssistant = and(
    eq(ownerKind, 'assistant'),
    eq(ownerId, assistants.id),
    rows.foundInWorkspace(assistants, sql`${mayViewAssistants}`),
  )
  const name = sql<string | null>`coalesce(${chatflows.name}, ${assistants.details} ->> 'name')`
  const ranked = db
    .select({
      ...{ store: asset, id: ownerId, name: name.as('name') },
      place: sql<number>`row_number() over (partition by ${asset} order by ${name} collate nocase, ${ownerId})`.as(
        'place',
      ),
    })
    .from(assetUsages)
    .leftJoin(chatflows, isFlow)
    .leftJoin(assistants, isAssistant)
    .where(
      rows.inWorkspace(
        assetUsages,
        and(eq(assetUsages.assetKind, 'documentStore'), listed(asset), sql`${name} is not null`),
      ),
    )
    .as('ranked')
  return db
    .select({ store: ranked.store, id: ranked.id, name: ranked.name })
    .from(ranked)
    .where(sql`${ranked.place} <= ${USERS_OF_STORE}`)
    .orderBy(asc(ranked.place))
}

/** Selects each store's newest open job, or else its newest job. */
function selectJobs(db: Database, tenant: Tenant, listed: Listed) {
  const job = alias(documentJobs, 'job')
  const newest = (condition?: SQL) =>
    sql`(${db
      .select({ id: job.id })
      .from(job)
      .where(and(eq(job.storeId, documentStores.id), condition))
      .orderBy(desc(job.createdDate), desc(job.id))
      .limit(1)})`
  const isShown = sql`${documentJobs.id} = coalesce(${newest(sql`${job.endedDate} is null`)}, ${newest()})`
  return db
    .select(getTableColumns(documentJobs))
    .from(documentStores)
    .innerJoin(documentJobs, isShown)
    .where(scope(db, tenant).inWorkspace(documentStores, listed(documentStores.id)))
}
