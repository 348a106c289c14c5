/** Files sent with questions: rows of the flow's workspace, with their bytes in the object store. */
import { and, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { formatFileSize } from '#contract/data/format.ts'
import { HeddleError } from '#contract/errors.ts'
import { ANONYMOUS_FILE_DAYS, ANONYMOUS_QUOTA_BYTES, FILE_QUOTA_BYTES } from '#contract/files/files.ts'
import { freeName } from '#contract/predictions/uploads.ts'
import type { Database } from '#db/client.ts'
import { documentStores, fileDeletions, files, flowSources } from '#db/schema/index.ts'
import { acrossWorkspaces, ownerOfFlow, scope, type Tenant } from '#db/scope.ts'
import { fileKey, MAX_DELETED_FILES } from '../../ports/file-storage.ts'
import { readFile } from '../../runs/inputs/run-files.ts'
import type { Services } from '../../services.ts'

/** Bytes whose row is still missing then belong to a request that failed. */
const UNCLAIMED_FILE_TTL_MS = 60 * 60_000
const FAILED_DELETION_PAUSE_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** Expired rows that one minute deletes. */
const MAX_EXPIRED = 500

export interface NewFile {
  name: string
  mime: string
  bytes: Uint8Array
}

type StoredFile = Omit<typeof files.$inferSelect, 'data' | 'workspaceId'>

interface Chat {
  flowId: string
  chatId: string
}

/**
 * Selects the bytes of all files of a workspace: of chats, the originals of its document stores, and flows' sources;
 * and those of them that expire.
 */
export const usedBytes = (db: Database, tenant: Tenant) => {
  const originals = db
    .select({ bytes: sql`coalesce(sum(${documentStores.totalBytes}), 0)` })
    .from(documentStores)
    .where(scope(db, tenant).inWorkspace(documentStores))
  const objects = db
    .selectDistinct({ objectId: flowSources.objectId, size: flowSources.size })
    .from(flowSources)
    .where(scope(db, tenant).inWorkspace(flowSources))
  const sources = sql`(select coalesce(sum(size), 0) from (${objects}))`
  return db
    .select({
      bytes: sql<number>`coalesce(sum(${files.size}), 0) + (${originals}) + ${sources}`,
      anonymous: sql<number>`coalesce(sum(${files.size}) filter (where ${files.expiresDate} is not null), 0)`,
    })
    .from(files)
    .where(scope(db, tenant).inWorkspace(files))
}

/**
 * Throws `too_large` when the workspace has no room for the added bytes.
 * @param field the field that the files came in
 */
export function assertRoom(used: number, added: readonly { size: number }[], field?: string): void {
  const size = added.reduce((sum, file) => sum + file.size, 0)
  if (used + size <= FILE_QUOTA_BYTES) return
  throw new HeddleError(
    'too_large',
    `The files of this workspace use ${formatFileSize(used)} of ${formatFileSize(FILE_QUOTA_BYTES)}. Delete some under Files or in document stores, or flows with source files`,
    field ? { field } : {},
  )
}

/** Throws `too_large` when callers without a key have used up their part of the workspace's room. */
function assertAnonymousRoom(used: number, added: readonly { size: number }[]): void {
  const size = added.reduce((sum, file) => sum + file.size, 0)
  if (used + size <= ANONYMOUS_QUOTA_BYTES) return
  throw new HeddleError(
    'too_large',
    `Callers without an API key have stored ${formatFileSize(used)} of ${formatFileSize(ANONYMOUS_QUOTA_BYTES)} in this workspace. Its owner can delete some under Files`,
    { field: 'uploads' },
  )
}

/**
 * Returns the statement that lists bytes for deletion until the row of their file is there, so that a request which dies
 * in between leaves nothing behind. `keepBytes` takes them off the list in the batch that adds the row.
 */
export function expectBytes(db: Database, keys: string[], now: Date) {
  const dueDate = new Date(now.getTime() + UNCLAIMED_FILE_TTL_MS).toISOString()
  return db.insert(fileDeletions).values(keys.map((key) => ({ key, dueDate })))
}

/** Returns the statement that sets when bytes are deleted. */
export const deleteBytesAt = (db: Database, keys: string[], dueDate: string) =>
  db
    .insert(fileDeletions)
    .values(keys.map((key) => ({ key, dueDate })))
    .onConflictDoUpdate({ target: fileDeletions.key, set: { dueDate } })

/** @param when a condition on the row that was to be added */
export const keepBytes = (db: Database, keys: string[], when?: SQL) =>
  db.delete(fileDeletions).where(and(inArray(fileDeletions.key, keys), when))

interface Storing {
  chat: Chat
  added: NewFile[]
  /** True: the files expire, and count against a quota of their own. */
  isAnonymous: boolean
}

/** Stores the files, renaming those whose names are taken in the chat. Throws `too_large` past the quota. */
export async function storeFiles(
  { db, clock, fileStorage }: Pick<Services, 'db' | 'clock' | 'fileStorage'>,
  tenant: Tenant,
  { chat, added, isAnonymous }: Storing,
): Promise<StoredFile[]> {
  if (added.length === 0) return []
  const now = clock.now()
  const uploads = added.map(({ bytes }) => ({ id: crypto.randomUUID(), bytes, size: bytes.length }))
  const keys = uploads.map(({ id }) => fileKey({ workspaceId: tenant.workspaceId, id }))
  const [taken, [used]] = await db.batch([namesIn(db, tenant, chat), usedBytes(db, tenant), expectBytes(db, keys, now)])
  if (isAnonymous) assertAnonymousRoom(used?.anonymous ?? 0, uploads)
  assertRoom(used?.bytes ?? 0, uploads)
  const expiresDate = isAnonymous ? new Date(now.getTime() + ANONYMOUS_FILE_DAYS * DAY_MS).toISOString() : null
  await Promise.all(uploads.map(({ bytes }, index) => fileStorage.write(keys[index] as string, bytes)))
  const rows = nameFiles(added, new Set(taken.map(({ name }) => name))).map(({ name, mime, bytes }, index) => ({
    ...{ id: uploads[index]?.id as string, name, mime, size: bytes.length },
    ...{ chatflowid: chat.flowId, chatId: chat.chatId, createdDate: now.toISOString(), expiresDate },
  }))
  await db.batch([keepBytes(db, keys), ...rows.map((row) => scope(db, tenant).insert(files, row))])
  return rows
}

const namesIn = (db: Database, tenant: Tenant, { flowId, chatId }: Chat) =>
  db
    .select({ name: files.name })
    .from(files)
    .where(scope(db, tenant).inWorkspace(files, and(eq(files.chatflowid, flowId), eq(files.chatId, chatId))))

function nameFiles(added: NewFile[], taken: Set<string>): NewFile[] {
  return added.map((file) => {
    const name = freeName(file.name, taken)
    taken.add(name)
    return { ...file, name }
  })
}

/** Returns the newest file with this name in the chat, undefined when there is none or its bytes are lost. */
export async function findFile(
  { db, fileStorage }: Pick<Services, 'db' | 'fileStorage'>,
  { flowId, chatId, name }: Chat & { name: string },
): Promise<(NewFile & { id: string }) | undefined> {
  const rows = scope(db, ownerOfFlow(flowId))
  const condition = and(eq(files.chatflowid, flowId), eq(files.chatId, chatId), eq(files.name, name))
  const [row] = await rows.select(files, condition).orderBy(desc(files.createdDate)).limit(1)
  if (!row) return undefined
  const file = row as typeof files.$inferSelect
  const bytes = await readFile(fileStorage, file)
  return bytes && { id: file.id, name: file.name, mime: file.mime, bytes }
}

/** Deletes expired files. Their bytes follow. Run by the minute cron. */
export async function deleteExpiredFiles({ db }: Services, now: Date): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job deletes expired files of every workspace')
  const due = all
    .select({ id: files.id })
    .from(files)
    .where(lte(files.expiresDate, now.toISOString()))
    .limit(MAX_EXPIRED)
  await all.delete(files).where(inArray(files.id, due))
}

/**
 * Deletes the bytes of deleted files from the object store. Files that it fails to delete get another try in an hour, so
 * that others come first. Run by the minute cron.
 */
export async function deleteDueFiles({ db, fileStorage }: Services, now: Date): Promise<void> {
  const due = await db
    .select({ key: fileDeletions.key })
    .from(fileDeletions)
    .where(lte(fileDeletions.dueDate, now.toISOString()))
    .orderBy(fileDeletions.dueDate)
    .limit(MAX_DELETED_FILES)
  const { deleted, failed } = await fileStorage.delete(due.map(({ key }) => key))
  if (deleted.length > 0) await db.delete(fileDeletions).where(inArray(fileDeletions.key, deleted))
  if (failed.length === 0) return
  const dueDate = new Date(now.getTime() + FAILED_DELETION_PAUSE_MS).toISOString()
  await db.update(fileDeletions).set({ dueDate }).where(inArray(fileDeletions.key, failed))
}
