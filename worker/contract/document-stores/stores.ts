/** Payloads of document stores, in Flowise's shape. */
import * as z from 'zod'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { pageSchema } from '../schemas/page.ts'
import { dateSchema } from '../schemas/responses.ts'
import { documentJobSchema } from './jobs.ts'
import { loaderSchema } from './loaders.ts'
import { searchConfigSchema } from './search.ts'
import { STORE_STATES } from './states.ts'

const name = z.string().trim().min(1, 'Name is required').max(200)
const description = z.string().trim().max(10_000)

export const createStoreSchema = z.object({ name, description: description.default('') })
export const updateStoreSchema = z.object({ name: name.optional(), description: description.optional() })

export const listStoresSchema = pageSchema.extend({ search: z.string().max(200).optional() })

/** A chosen component with its inputs; the id of its credential is among them. */
export const componentChoiceSchema = z.object({
  name: z.string().max(200),
  config: withMaxKeys(z.record(z.string().max(200), z.unknown()), 200),
})

const scheduleConfigSchema = z.object({
  cron: z.string().max(200),
  timezone: z.string().max(100),
  endDate: z.iso.datetime({ offset: true }).max(40).nullable().default(null),
})

export const documentStoreSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    status: z.enum(STORE_STATES),
    statusReason: z.string().nullable(),
    loaders: z.array(loaderSchema),
    whereUsed: z.array(z.object({ id: z.string(), name: z.string() })),
    usageCount: z.int(),
    vectorStoreConfig: componentChoiceSchema.nullable(),
    embeddingConfig: componentChoiceSchema.nullable(),
    recordManagerConfig: componentChoiceSchema.nullable(),
    searchConfig: searchConfigSchema.nullable(),
    scheduleConfig: scheduleConfigSchema.nullable(),
    nextRefresh: dateSchema.nullable(),
    lastSyncDate: dateSchema.nullable(),
    totalChars: z.int(),
    totalChunks: z.int(),
    totalBytes: z.int(),
    /** The newest one that has not ended, or that ended last. */
    job: documentJobSchema.nullable(),
    createdDate: dateSchema,
    updatedDate: dateSchema,
    workspaceId: z.string(),
  })
  .meta({ id: 'DocumentStore' })

/** POST /document-store/vectorstore/save and /update. Save is strict: what is left out becomes null. */
export const saveVectorConfigSchema = z.object({
  storeId: z.string().max(100),
  embeddingName: z.string().max(200).nullish(),
  embeddingConfig: withMaxKeys(z.record(z.string().max(200), z.unknown()), 200).nullish(),
  vectorStoreName: z.string().max(200).nullish(),
  vectorStoreConfig: withMaxKeys(z.record(z.string().max(200), z.unknown()), 200).nullish(),
  recordManagerName: z.string().max(200).nullish(),
  recordManagerConfig: withMaxKeys(z.record(z.string().max(200), z.unknown()), 200).nullish(),
  searchConfig: searchConfigSchema.nullish(),
  scheduleConfig: scheduleConfigSchema.nullish(),
})

export type DocumentStore = z.infer<typeof documentStoreSchema>
export type ComponentChoice = z.infer<typeof componentChoiceSchema>
export type ScheduleConfig = z.infer<typeof scheduleConfigSchema>
export type SaveVectorConfig = z.infer<typeof saveVectorConfigSchema>
export type CreateStore = z.infer<typeof createStoreSchema>
export type UpdateStore = z.infer<typeof updateStoreSchema>
