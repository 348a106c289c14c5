import * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { attachmentSchema, isAudio, isImage, MAX_UPLOAD_BODY_BYTES, MAX_UPLOADS } from '#contract/uploads.ts'
import { type Route, route } from '../../http/route.ts'
import { configOf, readPublicFlow } from '../chatflows/index.ts'
import { readAttachments } from './attachments.ts'
import { findFile } from './store.ts'

const fileQuery = z.object({
  chatflowId: z.uuid('This is not the id of a flow'),
  chatId: z.string().min(1).max(200),
  fileName: z.string().min(1).max(300),
  download: z.enum(['true', 'false']).optional(),
})

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/attachments/:id/:chatId',
    summary: 'Read the text of files',
    description: 'Send what it answers as `uploads` of type `file:full` with the question.',
    answer: z.array(attachmentSchema),
    access: 'public',
    embeddable: true,
    limit: { max: 60, windowSeconds: 60 },
    maxBodyBytes: MAX_UPLOAD_BODY_BYTES,
    params: z.object({ id: z.uuid('This is not the id of a flow'), chatId: z.string().max(200) }),
    body: z.object({ base64: z.string().max(10).optional() }),
    multipart: { files: { field: 'files', max: MAX_UPLOADS }, text: ['base64'] },
    async handle({ params, body, files, services }) {
      const { chatbotConfig } = await readPublicFlow(services, params.id)
      const config = configOf(chatbotConfig).fullFileUpload
      return readAttachments(files, { config, base64: body.base64 === 'true' })
    },
  }),

  route({
    method: 'GET',
    path: '/get-upload-file',
    summary: 'Read a file of a chat',
    description: 'Who knows the id of the chat may read what was sent in it, as in the chat itself.',
    answer: [{ type: '*/*', description: 'The bytes, with the media type that they have' }],
    errors: ['not_found'],
    access: 'public',
    embeddable: true,
    query: fileQuery,
    async handle({ query, services }) {
      const { chatflowId, chatId, fileName, download } = query
      const file = await findFile(services.db, { flowId: chatflowId, chatId, name: fileName })
      if (!file) throw new HeddleError('not_found', 'There is no such file')
      return new Response(file.data as Uint8Array<ArrayBuffer>, { headers: headersOf(file, download === 'true') })
    },
  }),
]

/** Whatever a file holds, no browser runs it: only images and sounds are shown, the rest is saved. */
function headersOf({ name, mime }: { name: string; mime: string }, download: boolean): Record<string, string> {
  const isShown = isImage(mime) || isAudio(mime)
  const disposition = isShown && !download ? 'inline' : 'attachment'
  return {
    'Content-Type': isShown ? mime : 'application/octet-stream',
    'Content-Disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name).replace(/'/g, '%27')}`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, max-age=3600',
  }
}
