/** Files sent with questions: rows of the flow's workspace, found by a generated id, never by a path. */
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { freeName } from '#contract/uploads.ts'
import type { Database } from '#db/client.ts'
import { files } from '#db/schema/index.ts'
import { ownerOfFlow, scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'

/** The oldest files are deleted first, so that nobody can fill the disk or block others from uploading. */
const MAX_WORKSPACE_BYTES = 1024 ** 3

export interface NewFile {
  name: string
  mime: string
  bytes: Uint8Array
}

export type StoredFile = Omit<typeof files.$inferSelect, 'data' | 'workspaceId'>

interface Chat {
  flowId: string
  chatId: string
}

/** Stores the files, renaming those whose names are taken in the chat. */
export async function storeFiles(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  tenant: Tenant,
  { chat, added }: { chat: Chat; added: NewFile[] },
): Promise<StoredFile[]> {
  if (added.length === 0) return []
  const taken = await namesIn(db, tenant, chat)
  const createdDate = clock.now().toISOString()
  const rows = added.map(({ name, mime, bytes }) => {
    const free = freeName(name, taken)
    taken.add(free)
    const row = { id: crypto.randomUUID(), name: free, mime, size: bytes.length, createdDate }
    return { ...row, chatflowid: chat.flowId, chatId: chat.chatId, data: bytes }
  })
  const [first, ...more] = rows.map((row) => scope(db, tenant).insert(files, row))
  if (first) await db.batch([first, ...more, dropOldest(db, tenant)])
  return rows.map(({ data: _, ...row }) => row)
}

async function namesIn(db: Database, tenant: Tenant, { flowId, chatId }: Chat): Promise<Set<string>> {
  const rows = await db
    .select({ name: files.name })
    .from(files)
    .where(scope(db, tenant).inWorkspace(files, and(eq(files.chatflowid, flowId), eq(files.chatId, chatId))))
  return new Set(rows.map(({ name }) => name))
}

function dropOldest(db: Database, tenant: Tenant) {
  const rows = scope(db, tenant)
  const sum = sql`sum(${files.size}) over (order by ${files.createdDate} desc, ${files.id})`
  const dated = sql`(select ${files.id} as id, ${sum} as total from ${files} where ${rows.inWorkspace(files)})`
  return rows.delete(files, inArray(files.id, sql`(select id from ${dated} where total > ${MAX_WORKSPACE_BYTES})`))
}

/** Returns the newest file with this name in the chat. */
export async function findFile(db: Database, { flowId, chatId, name }: Chat & { name: string }) {
  const rows = scope(db, ownerOfFlow(flowId))
  const condition = and(eq(files.chatflowid, flowId), eq(files.chatId, chatId), eq(files.name, name))
  const [row] = await rows.select(files, condition).orderBy(desc(files.createdDate)).limit(1)
  return row as typeof files.$inferSelect | undefined
}
