/** Files that are sent to a store: their rows, and their bytes among the stored files. */
import { and, eq, exists, inArray, isNull, lt, sql } from 'drizzle-orm'
import { formatFileSize } from '#contract/data/format.ts'
import { sniffDocument } from '#contract/document-stores/file-inputs.ts'
import { MAX_FILE_BYTES } from '#contract/document-stores/limits.ts'
import type { SentFile } from '#contract/document-stores/loaders.ts'
import { HeddleError } from '#contract/errors.ts'
import { cleanName, freeName } from '#contract/predictions/uploads.ts'
import type { Database } from '#db/client.ts'
import { documentSources, documentStores } from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type Tenant } from '#db/scope.ts'
import { detectFormat } from '../../knowledge/readers/format.ts'
import { UnreadableError } from '../../knowledge/types.ts'
import { fileKey } from '../../ports/file-storage.ts'
import type { Services } from '../../services.ts'
import { assertRoom, expectBytes, keepBytes, usedBytes } from '../files/index.ts'
import { orderedIds } from './ordered-ids.ts'
import { storeNotFound } from './read-stores.ts'
import { originalBytes } from './stores.ts'

const MAX_NAME = 200
/** A file that no loader took by then is deleted. */
const UNCLAIMED_FILE_TTL_MS = 24 * 60 * 60_000
/** Files of one minute. */
const MAX_ABANDONED = 500
/** Senders of the same name at once. */
const MAX_ATTEMPTS = 20

interface NewSentFile {
  storeId: string
  name: string
  bytes: Uint8Array
  /** The field of the request, for errors. */
  field: string
}

/**
 * Stores a file under a name that no other file of the store has. Throws `bad_request` for what no reader reads,
 * `too_large` past 50 MB or the workspace's quota, and `not_found` without the store.
 */
export async function storeSentFile(
  { db, clock, fileStorage }: Pick<Services, 'db' | 'clock' | 'fileStorage'>,
  tenant: Tenant,
  { storeId, name: sentName, bytes, field }: NewSentFile,
): Promise<SentFile> {
  const wanted = shortened(cleanName(sentName))
  const mime = checkedType(bytes, wanted, field)
  const now = clock.now()
  const [id] = orderedIds(now, 1) as [string]
  const key = fileKey({ workspaceId: tenant.workspaceId, id })
  const [stores, [used]] = await db.batch([
    scope(db, tenant).count(documentStores, eq(documentStores.id, storeId)),
    usedBytes(db, tenant),
  ])
  if (stores[0]?.count !== 1) throw storeNotFound(storeId)
  assertRoom(used?.bytes ?? 0, [{ size: bytes.length }], field)
  await expectBytes(db, [key], now)
  await fileStorage.write(key, bytes)
  const file = { id, mime, size: bytes.length }
  const name = await addSource(db, tenant, { ...file, storeId, wanted, now: now.toISOString() })
  return { ...file, name }
}

interface NewSource extends Omit<SentFile, 'name'> {
  storeId: string
  wanted: string
  now: string
}

/** Several files of one name may arrive at once: a name is taken by the statement that finds it free. */
async function addSource(db: Database, tenant: Tenant, { storeId, wanted, now, ...file }: NewSource): Promise<string> {
  const rows = scope(db, tenant)
  const { id, mime, size } = file
  const key = fileKey({ workspaceId: tenant.workspaceId, id })
  const isAdded = eq(documentSources.id, id)
  const added = rows.select(documentSources, isAdded)
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const name = freeName(wanted, await takenNames(db, tenant, { storeId, wanted }))
    const isNamed = and(eq(documentSources.storeId, storeId), eq(documentSources.name, name))
    const [, found] = await db.batch([
      db.run(sql`
        insert into ${documentSources}
          (id, workspace_id, store_id, key, name, mime, size, is_stored, status, created_date, updated_date)
        select ${id}, ${tenant.workspaceId}, ${storeId}, ${name}, ${name}, ${mime}, ${size}, 1, 'NEW', ${now}, ${now}
        where exists ${rows.select(documentStores, eq(documentStores.id, storeId))}
          and not exists ${rows.select(documentSources, isNamed)}`),
      added,
      updateBytes(db, tenant, storeId),
      keepBytes(db, [key], exists(added)),
    ])
    if (found.length > 0) return name
  }
  throw new HeddleError('conflict', 'Other files of this name arrive right now. Send the file again')
}

/** Returns the statement that counts the bytes of a store's originals again. */
export const updateBytes = (db: Database, tenant: Tenant, storeId: string) =>
  scope(db, tenant).update(documentStores, eq(documentStores.id, storeId), {
    totalBytes: originalBytes(db, storeId) as unknown as number,
  })

/** Returns the names in the store that begin like the wanted one, without its ending. */
async function takenNames(db: Database, tenant: Tenant, { storeId, wanted }: { storeId: string; wanted: string }) {
  const dot = wanted.lastIndexOf('.')
  const stem = dot > 0 ? wanted.slice(0, dot) : wanted
  const begins = sql`substr(${documentSources.name}, 1, length(${stem})) = ${stem}`
  const rows = await db
    .select({ name: documentSources.name })
    .from(documentSources)
    .where(scope(db, tenant).foundInWorkspace(documentSources, and(eq(documentSources.storeId, storeId), begins)))
  return new Set(rows.map(({ name }) => name))
}

/** Throws `too_large`, or `bad_request` that says why nothing could read the file. */
function checkedType(bytes: Uint8Array, name: string, field: string): string {
  if (bytes.length > MAX_FILE_BYTES) {
    const limit = formatFileSize(MAX_FILE_BYTES)
    throw new HeddleError('too_large', `${field}: ${name} is larger than ${limit}. Split it into smaller files`, {
      field,
    })
  }
  const mime = sniffDocument(bytes, name) ?? 'application/octet-stream'
  try {
    detectFormat(bytes, { name, mime })
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    throw new HeddleError('bad_request', `${field}: ${name}: ${error.message}`, { field })
  }
  return mime
}

/** Keeps the ending, by which readers tell formats apart. */
function shortened(name: string): string {
  if (name.length <= MAX_NAME) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : ''
  return name.slice(0, MAX_NAME - extension.length).toWellFormed() + extension
}

/** Deletes files that no loader took. Run by the minute cron. */
export async function deleteAbandonedFiles({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job deletes abandoned files of every workspace')
  const { id, docId, storeId, createdDate } = documentSources
  const due = new Date(now.getTime() - UNCLAIMED_FILE_TTL_MS).toISOString()
  const abandoned = await all
    .select({ id, storeId })
    .from(documentSources)
    .where(and(isNull(docId), lt(createdDate, due)))
    .limit(MAX_ABANDONED)
  if (abandoned.length === 0) return
  const ids = abandoned.map((row) => row.id)
  await all.batch([
    all.delete(documentSources).where(and(inArray(id, ids), isNull(docId))),
    ...[...new Set(abandoned.map((row) => row.storeId))].map((store) =>
      all
        .update(documentStores)
        .set({ totalBytes: originalBytes(all, store) })
        .where(eq(documentStores.id, store)),
    ),
  ])
}
