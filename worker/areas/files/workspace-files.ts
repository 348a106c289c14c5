/** The files of a workspace, as its members see them. They belong to flows or document stores, and so do the permissions. */
import { and, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { HeddleError } from '#contract/errors.ts'
import {
  ANONYMOUS_QUOTA_BYTES,
  FILE_QUOTA_BYTES,
  type FileList,
  type ListFiles,
  recordsQuotaOf,
  type StoredFile,
} from '#contract/files/files.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { chatflows, documentLoaders, documentSources, documentStores, files, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { fileKey } from '../../ports/file-storage.ts'
import { readFile } from '../../runs/inputs/run-files.ts'
import type { Services } from '../../services.ts'
import { usedBytes } from './store.ts'

type Store = Pick<Services, 'db' | 'fileStorage'>

/** The owners whose files a caller may see. */
export interface Viewable {
  /** The types of flows whose files they may see. */
  types: FlowType[]
  /** Whether they may see document stores. */
  stores: boolean
}

type Listing = ListFiles & { viewable: Viewable }

/** Newest first. */
export async function listFiles(
  { db, config }: Pick<Services, 'db' | 'config'>,
  tenant: Tenant,
  listing: Listing,
): Promise<FileList> {
  const { limit } = listing
  const [ofFlows, [flowFiles], ofStores, [originals], [used], [records]] = await db.batch([
    ...selectFlowFiles(db, tenant, listing),
    ...selectOriginals(db, tenant, listing),
    usedBytes(db, tenant),
    db.select({ size: workspaces.recordsSize }).from(workspaces).where(eq(workspaces.id, tenant.workspaceId)),
  ])
  const rows = [...ofFlows.map(answerFlowFile), ...ofStores.map(answerOriginal)].sort(newestFirst)
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return {
    data,
    cursor: rows.length > limit && last ? `${last.createdDate} ${last.id}` : null,
    total: (flowFiles?.count ?? 0) + (originals?.count ?? 0),
    usedBytes: used?.bytes ?? 0,
    quotaBytes: FILE_QUOTA_BYTES,
    anonymousBytes: used?.anonymous ?? 0,
    anonymousQuotaBytes: ANONYMOUS_QUOTA_BYTES,
    recordsBytes: records?.size ?? 0,
    recordsQuotaBytes: recordsQuotaOf(config.platformType) ?? null,
  }
}

/** As the statements sort. */
const newestFirst = (a: StoredFile, b: StoredFile) =>
  a.createdDate === b.createdDate ? (a.id < b.id ? 1 : -1) : a.createdDate < b.createdDate ? 1 : -1

/** Selects a page of them, and their number. */
function selectFlowFiles(db: Database, tenant: Tenant, { search, cursor, limit, viewable }: Listing) {
  const { id, name, mime, size, chatId, createdDate, expiresDate } = files
  const isListed = and(inArray(chatflows.type, viewable.types), search ? contains(name, search) : undefined)
  const where = (more?: SQL) => scope(db, tenant).inWorkspace(files, and(isListed, more))
  return [
    db
      .select({
        ...{ id, name, mime, size, chatId, createdDate, expiresDate },
        ...{ flowId: chatflows.id, flowName: chatflows.name, type: chatflows.type },
      })
      .from(files)
      .innerJoin(chatflows, eq(chatflows.id, files.chatflowid))
      .where(where(afterCursor(files, cursor)))
      .orderBy(desc(createdDate), desc(id))
      .limit(limit + 1),
    db.select({ count: count() }).from(files).innerJoin(chatflows, eq(chatflows.id, files.chatflowid)).where(where()),
  ] as const
}

type FlowFileRow = Awaited<ReturnType<typeof selectFlowFiles>[0]>[number]

const answerFlowFile = ({ flowId, flowName, type, chatId, ...file }: FlowFileRow): StoredFile => ({
  ...file,
  owner: { kind: 'flow', id: flowId, name: flowName, type, chatId },
})

/** As `selectFlowFiles`. */
function selectOriginals(db: Database, tenant: Tenant, { search, cursor, limit, viewable }: Listing) {
  const { id, name, mime, size, chunks, isStored, createdDate } = documentSources
  const isListed = and(isStored, sql`${viewable.stores}`, search ? contains(name, search) : undefined)
  const where = (more?: SQL) => scope(db, tenant).inWorkspace(documentSources, and(isListed, more))
  return [
    db
      .select({
        ...{ id, name, mime, size, chunks, createdDate },
        ...{ storeId: documentStores.id, storeName: sql<string>`${documentStores.name}`.as('store_name') },
        ...{ loaderId: documentLoaders.id, loaderName: documentLoaders.loaderName },
      })
      .from(documentSources)
      .innerJoin(documentStores, eq(documentStores.id, documentSources.storeId))
      .leftJoin(documentLoaders, eq(documentLoaders.id, documentSources.docId))
      .where(where(afterCursor(documentSources, cursor)))
      .orderBy(desc(createdDate), desc(id))
      .limit(limit + 1),
    db.select({ count: count() }).from(documentSources).where(where()),
  ] as const
}

type OriginalRow = Awaited<ReturnType<typeof selectOriginals>[0]>[number]

const answerOriginal = ({ storeId, storeName, loaderId, loaderName, chunks, mime, ...file }: OriginalRow) => ({
  ...{ ...file, mime: mime ?? 'application/octet-stream', expiresDate: null },
  owner: {
    ...{ kind: 'documentStore' as const, id: storeId, name: storeName, chunks },
    loader: loaderId && loaderName !== null ? { id: loaderId, name: loaderName } : null,
  },
})

function afterCursor(
  { createdDate, id }: { createdDate: SQLiteColumn; id: SQLiteColumn },
  cursor: string | undefined,
): SQL | undefined {
  if (!cursor) return undefined
  const [date = '', last = ''] = cursor.split(' ')
  return sql`(${createdDate}, ${id}) < (${date}, ${last})`
}

/** Throws `not_found`, also when the bytes are lost. */
export async function openFile(
  { db, fileStorage }: Store,
  tenant: Tenant,
  { id, viewable }: { id: string; viewable: Viewable },
) {
  const rows = scope(db, tenant)
  const isOriginal = and(eq(documentSources.id, id), documentSources.isStored, sql`${viewable.stores}`)
  const [ofFlow, ofStore] = await db.batch([
    rows.select(files, isFile({ id, allowed: viewable.types })),
    rows.select(documentSources, isOriginal),
  ])
  const [file] = ofFlow as (typeof files.$inferSelect)[]
  const [original] = ofStore as (typeof documentSources.$inferSelect)[]
  const bytes = file
    ? await readFile(fileStorage, file)
    : original && (await fileStorage.read(fileKey({ workspaceId: tenant.workspaceId, id })))
  const found = file ?? original
  if (!bytes || !found) throw fileNotFound()
  return { name: found.name, mime: found.mime ?? 'application/octet-stream', bytes }
}

interface FileRequest {
  id: string
  /** The types of flows whose files the caller may see or delete. */
  allowed: FlowType[]
}

export async function deleteFile({ db }: Pick<Services, 'db'>, tenant: Tenant, wanted: FileRequest) {
  const deleted = await scope(db, tenant).delete(files, isFile(wanted)).returning({ id: files.id })
  if (deleted.length === 0) throw fileNotFound()
  return { raw: [], affected: deleted.length }
}

const isFile = ({ id, allowed }: FileRequest) =>
  and(
    eq(files.id, id),
    sql`(select ${chatflows.type} from ${chatflows} where ${chatflows.id} = ${files.chatflowid}) in ${allowed}`,
  )

const fileNotFound = () => new HeddleError('not_found', 'File not found')
