import type { Context } from 'hono'
import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { fileListSchema, listFilesSchema } from '#contract/files/files.ts'
import { isAudio, isImage, MAX_UPLOAD_BODY_BYTES, MAX_UPLOADS } from '#contract/predictions/uploads.ts'
import { deletedSchema } from '#contract/schemas/responses.ts'
import { attachmentSchema } from '#contract/schemas/uploads.ts'
import { auditExempt } from '../../http/audit.ts'
import { mayUse } from '../../http/permission.ts'
import { type Actor, type AppEnv, memberOf, type Route, route } from '../../http/route.ts'
import type { Config } from '../../services.ts'
import {
  allowedTypes,
  flowAccess,
  isKnownCaller,
  largeBodyFor,
  mayNameChat,
  parseConfig,
  readCallableFlow,
  readPublicFlow,
  takesDocuments,
} from '../chatflows/index.ts'
import { readAttachments } from './attachments.ts'
import { findFile } from './store.ts'
import { deleteFile, listFiles, openFile, type Viewable } from './workspace-files.ts'

const fileQuery = z.object({
  chatflowId: z.uuid('This must be the id of a flow'),
  chatId: z.string().min(1).max(200),
  fileName: z.string().min(1).max(300),
  download: z.enum(['true', 'false']).optional(),
})

const byId = z.object({ id: z.string().max(100) })

const STORES = { permission: 'documentStores:view' }
const viewAccess = { permission: `${flowAccess('view').permission},${STORES.permission}` }

const viewableBy = (actor: Actor, config: Config): Viewable => ({
  types: allowedTypes(actor, config, 'view'),
  stores: mayUse(STORES, actor, config.platformType),
})

/** Flowise's widget repeats the path's. */
const fromWidgets = z.string().max(200).optional()

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/files',
    summary: 'List files',
    answer: fileListSchema,
    access: viewAccess,
    query: listFilesSchema,
    async handle({ query, actor, services }) {
      return listFiles(services, memberOf(actor), { ...query, viewable: viewableBy(actor, services.config) })
    },
  }),

  route({
    method: 'GET',
    path: '/files/:id/content',
    summary: 'Download a file',
    answer: [{ type: '*/*', description: 'The file, with its media type' }],
    errors: ['not_found'],
    access: viewAccess,
    params: byId,
    query: fileQuery.pick({ download: true }),
    async handle({ params, query, actor, services }) {
      const viewable = viewableBy(actor, services.config)
      const file = await openFile(services, memberOf(actor), { ...params, viewable })
      return new Response(file.bytes as Uint8Array<ArrayBuffer>, {
        headers: buildHeaders(file, query.download === 'true'),
      })
    },
  }),

  route({
    method: 'DELETE',
    path: '/files/:id',
    summary: 'Delete a file of a flow',
    audit: auditExempt.content,
    answer: deletedSchema,
    errors: ['not_found'],
    access: flowAccess('update'),
    params: byId,
    async handle({ params, actor, services }) {
      const allowed = allowedTypes(actor, services.config, 'update')
      return deleteFile(services, memberOf(actor), { ...params, allowed })
    },
  }),

  route({
    method: 'POST',
    path: '/attachments/:id/:chatId',
    summary: 'Extract the text of files',
    audit: auditExempt.caller,
    description: 'Send the result as `uploads` of type `file:full` with the question.',
    answer: z.array(attachmentSchema),
    errors: ['unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    limit: { max: 60, windowSeconds: 60 },
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    beforeLargeBody: largeBodyFor(takesDocuments),
    params: z.object({ id: z.uuid('This must be the id of a flow'), chatId: z.string().max(200) }),
    body: z.object({ base64: z.string().max(10).optional(), chatId: fromWidgets }),
    multipart: { files: { field: 'files', max: MAX_UPLOADS }, text: ['base64', 'chatId'] },
    async handle({ params, body, files, context }) {
      const flow = await readPublicFlow(context, params.id)
      const config = parseConfig(flow.chatbotConfig).fullFileUpload
      const isKnown = await isKnownCaller(context, flow)
      return readAttachments(files, { config, base64: body.base64 === 'true', isKnown })
    },
  }),

  route({
    method: 'GET',
    path: '/get-upload-file',
    summary: 'Download a file of a chat',
    description: 'Open to callers of the flow who know the chat ID, which grants access to the files of that chat.',
    answer: [{ type: '*/*', description: 'The file, with its media type' }],
    errors: ['not_found', 'unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    // A long chat shows many pictures at once.
    limit: { max: 1200, windowSeconds: 60, isOfIsolate: true },
    query: fileQuery,
    handle: ({ query, context }) => chatFile(context, query, query.download === 'true'),
  }),

  route({
    method: 'POST',
    path: '/openai-assistants-file/download',
    summary: 'Download a file that an answer names',
    audit: auditExempt.caller,
    description: 'Same as GET /get-upload-file, for compatibility with Flowise.',
    answer: [{ type: '*/*', description: 'The file' }],
    errors: ['not_found', 'unauthorized', 'forbidden'],
    access: 'public',
    embeddable: true,
    body: fileQuery.omit({ download: true }),
    handle: ({ body, context }) => chatFile(context, body, true),
  }),
]

type ChatFile = Pick<z.infer<typeof fileQuery>, 'chatflowId' | 'chatId' | 'fileName'>

/** Throws `not_found`, and what `assertMayCall` throws. */
async function chatFile(context: Context<AppEnv>, { chatflowId, chatId, fileName }: ChatFile, download: boolean) {
  const services = context.get('services')
  const flow = await readCallableFlow(context, chatflowId)
  const mayName = await mayNameChat(context, flow, chatId)
  const file = mayName && (await findFile(services, { flowId: chatflowId, chatId, name: fileName }))
  if (!file) throw new HeddleError('not_found', 'File not found')
  return new Response(file.bytes as Uint8Array<ArrayBuffer>, { headers: buildHeaders(file, download) })
}

/** Browsers must never run a file: images and audio are displayed, everything else is downloaded. */
function buildHeaders({ name, mime }: { name: string; mime: string }, download: boolean): Record<string, string> {
  const isShown = isImage(mime) || isAudio(mime)
  const disposition = isShown && !download ? 'inline' : 'attachment'
  return {
    'Content-Type': isShown ? mime : 'application/octet-stream',
    'Content-Disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name).replace(/'/g, '%27')}`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cache-Control': 'private, max-age=3600',
  }
}
