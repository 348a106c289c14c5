/** Payloads of the files that a workspace stores: those of flows, and the originals of document stores. */
import * as z from 'zod'
import { flowTypeSchema } from '../flow/flow-type-schema.ts'
import { dateSchema } from '../schemas/responses.ts'

/** Bytes that the files of a workspace may have in total. */
export const FILE_QUOTA_BYTES = 1024 ** 3
/** Bytes of these that callers without a key may fill, and days until their files are deleted. */
export const ANONYMOUS_QUOTA_BYTES = 100 * 1024 ** 2
export const ANONYMOUS_FILE_DAYS = 30

/** Bytes that runs, their steps and messages of a workspace may have in cloud, where one database serves everybody. */
const CLOUD_RECORDS_QUOTA_BYTES = 1024 ** 3

/** Returns undefined where there is no quota. */
export const recordsQuotaOf = (platformType: string): number | undefined =>
  platformType === 'cloud' ? CLOUD_RECORDS_QUOTA_BYTES : undefined

export const listFilesSchema = z.object({
  /** A part of the name. */
  search: z.string().max(200).optional(),
  /** The `cursor` of the previous page; newest first. */
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})

const storedFileSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    mime: z.string().describe('By its first bytes'),
    size: z.int().describe('Bytes'),
    owner: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('flow'),
        id: z.string(),
        name: z.string(),
        type: flowTypeSchema,
        chatId: z.string().describe('Empty for files that nodes of the flow read'),
      }),
      z.object({
        kind: z.literal('documentStore'),
        id: z.string(),
        name: z.string(),
        loader: z
          .object({ id: z.string(), name: z.string() })
          .nullable()
          .describe('Null: the file was sent, and no loader has taken it'),
        chunks: z.int().describe('Chunks that were made of it'),
      }),
    ]),
    createdDate: dateSchema,
    expiresDate: dateSchema.nullable().describe('When it is deleted. Null: it stays'),
  })
  .meta({ id: 'StoredFile' })

export const fileListSchema = z.object({
  data: z.array(storedFileSchema),
  cursor: z.string().nullable().describe('Null on the last page'),
  total: z.int(),
  usedBytes: z.int().describe('Bytes of all files of the workspace'),
  quotaBytes: z.int(),
  anonymousBytes: z.int().describe('Bytes of files from callers who were neither members nor had a key'),
  anonymousQuotaBytes: z.int(),
  recordsBytes: z.int().describe('Bytes of runs, their steps and messages'),
  recordsQuotaBytes: z.int().nullable().describe('Above it, calls without an API key are refused. Null: no limit'),
})

export type ListFiles = z.infer<typeof listFilesSchema>
export type StoredFile = z.infer<typeof storedFileSchema>
export type FileList = z.infer<typeof fileListSchema>
