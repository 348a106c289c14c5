/** The files of a workspace, as its members see them. Files belong to flows, and so do the permissions. */
import { and, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { FlowType } from '#contract/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import { FILE_QUOTA_BYTES, type FileList, type ListFiles } from '#contract/files.ts'
import { contains } from '#db/contains.ts'
import { chatflows, files } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { readFile } from '../../runs/inputs/run-files.ts'
import type { Services } from '../../services.ts'
import { usedBytes } from './store.ts'

type Store = Pick<Services, 'db' | 'fileStorage'>

/** Newest first. */
export async function listFiles(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  { search, cursor, limit, allowed }: ListFiles & { allowed: FlowType[] },
): Promise<FileList> {
  const isListed = and(inArray(chatflows.type, allowed), search ? contains(files.name, search) : undefined)
  const where = (more?: SQL) => scope(db, tenant).inWorkspace(files, and(isListed, more))
  const { id, name, mime, size, chatId, createdDate } = files
  const [rows, [total], [used]] = await db.batch([
    db
      .select({ id, name, mime, size, flowId: chatflows.id, flowName: chatflows.name, chatId, createdDate })
      .from(files)
      .innerJoin(chatflows, eq(chatflows.id, files.chatflowid))
      .where(where(cursor ? afterCursor(cursor) : undefined))
      .orderBy(desc(createdDate), desc(id))
      .limit(limit + 1),
    db.select({ count: count() }).from(files).innerJoin(chatflows, eq(chatflows.id, files.chatflowid)).where(where()),
    usedBytes(db, tenant),
  ])
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return {
    data,
    cursor: rows.length > limit && last ? `${last.createdDate} ${last.id}` : null,
    total: total?.count ?? 0,
    usedBytes: used?.bytes ?? 0,
    quotaBytes: FILE_QUOTA_BYTES,
  }
}

function afterCursor(cursor: string): SQL {
  const [date = '', id = ''] = cursor.split(' ')
  return sql`(${files.createdDate}, ${files.id}) < (${date}, ${id})`
}

interface Wanted {
  id: string
  /** The types of flows whose files the caller may see or delete. */
  allowed: FlowType[]
}

/** Throws `not_found`, also when the bytes are lost. */
export async function openFile({ db, fileStorage }: Store, tenant: Tenant, wanted: Wanted) {
  const [row] = await scope(db, tenant).select(files, isFile(wanted))
  const bytes = row && (await readFile(fileStorage, row as typeof files.$inferSelect))
  if (!bytes) throw noSuchFile()
  const { name, mime } = row as typeof files.$inferSelect
  return { name, mime, bytes }
}

export async function deleteFile({ db }: Pick<Services, 'db'>, tenant: Tenant, wanted: Wanted) {
  const deleted = await scope(db, tenant).delete(files, isFile(wanted)).returning({ id: files.id })
  if (deleted.length === 0) throw noSuchFile()
  return { raw: [], affected: deleted.length }
}

const isFile = ({ id, allowed }: Wanted) =>
  and(
    eq(files.id, id),
    sql`(select ${chatflows.type} from ${chatflows} where ${chatflows.id} = ${files.chatflowid}) in ${allowed}`,
  )

const noSuchFile = () => new HeddleError('not_found', 'File not found')
