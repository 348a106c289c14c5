/** The uploads of a flow, as its runs read them. */
import { and, eq } from 'drizzle-orm'
import { docText, type StoredUpload } from '#contract/predictions/uploads.ts'
import { files } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { fileKey } from '../../ports/file-storage.ts'
import type { FileStorage, Files } from '../../ports/types.ts'
import type { Services } from '../../services.ts'

/** The chat id of the flow's own files. No caller can name it. */
export const FLOW_FILES = ''

/** @param fresh bytes at hand by file id, which need not be read */
export function openFiles(
  { db, fileStorage }: Pick<Services, 'db' | 'fileStorage'>,
  tenant: Tenant,
  { flowId, fresh }: { flowId: string; fresh?: ReadonlyMap<string, Uint8Array> },
): Files {
  return {
    async read(id) {
      const known = fresh?.get(id)
      if (known) return known
      const [row] = await scope(db, tenant).select(files, and(eq(files.id, id), eq(files.chatflowid, flowId)))
      return row && readFile(fileStorage, row as typeof files.$inferSelect)
    },
    async ofFlow(name) {
      const isIt = and(eq(files.chatflowid, flowId), eq(files.chatId, FLOW_FILES), eq(files.name, name))
      const [row] = await scope(db, tenant).select(files, isIt)
      const file = row as typeof files.$inferSelect | undefined
      const bytes = file && (await readFile(fileStorage, file))
      return bytes && { mime: file.mime, bytes }
    },
  }
}

/** Returns the bytes of a file, undefined when they are lost. */
export async function readFile(storage: FileStorage, file: typeof files.$inferSelect): Promise<Uint8Array | undefined> {
  return file.data ?? storage.read(fileKey(file))
}

/** Returns the content of the uploads that are text, in the form that prompts have. */
export async function attachmentText(uploads: readonly StoredUpload[], files: Files): Promise<string> {
  const texts: string[] = []
  for (const { type, id, name } of uploads) {
    if (type !== 'stored-file:full') continue
    const bytes = await files.read(id)
    texts.push(docText(name, bytes ? new TextDecoder().decode(bytes) : 'This file is not kept any more.'))
  }
  return texts.join('\n\n')
}
