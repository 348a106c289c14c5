/** Schemas of files in requests and answers. Their rules are in `../uploads.ts`, which widgets load without schemas. */
import * as z from 'zod'
import { type Attachment, MAX_UPLOAD_BODY_BYTES, type Upload } from '../predictions/uploads.ts'

const MAX_NAME_CHARACTERS = 200

export const uploadSchema = z.object({
  type: z.enum(['file', 'file:full', 'file:rag', 'audio', 'url', 'stored-file']),
  name: z.string().min(1).max(MAX_NAME_CHARACTERS),
  mime: z.string().max(200).nullish(),
  data: z.string().max(MAX_UPLOAD_BODY_BYTES).nullish(),
}) satisfies z.ZodType<Upload>

export const attachmentSchema = z
  .object({
    name: z.string(),
    mimeType: z.string(),
    size: z.int(),
    content: z.string().describe('The text; with `base64`, the bytes'),
  })
  .meta({ id: 'Attachment' }) satisfies z.ZodType<Attachment>
