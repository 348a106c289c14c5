/** Payloads of the calls that start jobs, in Flowise's shape. */
import * as z from 'zod'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { chunkPageSchema } from './chunks.ts'
import { acceptedJobSchema, upsertResultSchema } from './jobs.ts'

const config = withMaxKeys(z.record(z.string().max(200), z.unknown()), 200)
const part = z.object({ name: z.string().max(200).optional(), config: config.optional() })
const id = z.string().max(100)

/** Answers 202 and a status address at once, instead of waiting for the job's end. */
export const asyncSchema = z.object({ async: z.enum(['true', 'false']).optional() })

/** POST /document-store/loader/process/:loaderId; Flowise repeats the loader's fields, which are saved already. */
export const processLoaderSchema = z.object({ storeId: id.optional(), id: id.optional() })

/** The loader's first chunks, and what changed. */
export const processedLoaderSchema = chunkPageSchema.extend(upsertResultSchema.shape).meta({ id: 'ProcessedLoader' })

/** POST /document-store/vectorstore/insert: what is given of the store's configuration is saved first. */
export const insertSchema = z.object({
  storeId: id,
  docId: id.optional().describe('Only this loader'),
  embeddingName: z.string().max(200).nullish(),
  embeddingConfig: config.nullish(),
  vectorStoreName: z.string().max(200).nullish(),
  vectorStoreConfig: config.nullish(),
  recordManagerName: z.string().max(200).nullish(),
  recordManagerConfig: config.nullish(),
})

/** POST /document-store/upsert/:id, as JSON, or multipart with `files`. */
export const upsertSchema = z.object({
  docId: id.optional().describe('The loader whose settings are used; the settings below replace parts of them'),
  metadata: config.optional().describe('Added to the metadata of each chunk'),
  replaceExisting: z.boolean().optional().describe('Replaces the loader `docId` instead of adding one'),
  createNewDocStore: z.boolean().optional(),
  docStore: z
    .object({ name: z.string().trim().min(1).max(200), description: z.string().trim().max(10_000).default('') })
    .optional()
    .describe('Of the store that `createNewDocStore` makes'),
  loaderName: z.string().max(200).optional(),
  loader: part.optional(),
  splitter: part.optional(),
  vectorStore: part.optional(),
  embedding: part.optional(),
  recordManager: part.optional(),
})

/** POST /document-store/refresh/:id: without items, all loaders of the store. */
export const refreshSchema = z.object({ items: z.array(upsertSchema).max(20).optional() })

export const refreshResultSchema = z.array(upsertResultSchema)

/** One for each item. */
export const acceptedRefreshSchema = z.union([acceptedJobSchema, z.array(acceptedJobSchema)])

export const upsertHistorySchema = z
  .object({
    id: z.string(),
    chatflowid: z.string().describe('The document store'),
    result: upsertResultSchema,
    flowData: z.object({}).describe('Always empty: stores have no flow'),
    date: z.string(),
  })
  .meta({ id: 'UpsertHistory' })

export const listUpsertHistorySchema = z.object({
  order: z.enum(['ASC', 'DESC']).optional(),
  startDate: z.iso.datetime().max(40).optional(),
  endDate: z.iso.datetime().max(40).optional(),
})

export const deleteUpsertHistorySchema = z.object({ ids: z.array(id).max(1000) })

export type Upsert = z.infer<typeof upsertSchema>
