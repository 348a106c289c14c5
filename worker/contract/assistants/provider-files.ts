/** Files and vector stores of assistants at a provider, as its API (version 2) describes them. */
import * as z from 'zod'
import { withMaxKeys } from '../schemas/max-keys.ts'

/** The most bytes of all files of one call. */
export const MAX_PROVIDER_BODY_BYTES = 32 * 1024 * 1024
export const MAX_PROVIDER_FILES = 10

/** An id of the provider. */
export const providerIdSchema = z
  .string()
  .max(200)
  .regex(/^[\w-]+$/, 'This is no id of the provider')

const expiry = z.object({ anchor: z.literal('last_active_at'), days: z.int().min(1).max(365) })
const metadata = withMaxKeys(z.record(z.string().max(64), z.string().max(512)), 16)

export const updateVectorStoreSchema = z.object({
  name: z.string().trim().max(256).nullish(),
  expires_after: expiry.nullish(),
  metadata: metadata.nullish(),
})

export const createVectorStoreSchema = updateVectorStoreSchema.extend({
  file_ids: z.array(providerIdSchema).max(500).optional(),
})

export const removeFilesSchema = z.object({ file_ids: z.array(providerIdSchema).min(1).max(100) })
export const removedFilesSchema = z.object({ deletedFileIds: z.array(z.string()), count: z.int() })

/** A file, as the provider returns it. */
export const providerFileSchema = z
  .looseObject({ id: z.string(), filename: z.string().optional(), bytes: z.number().optional() })
  .meta({ id: 'ProviderFile' })

export const vectorStoreSchema = z
  .looseObject({ id: z.string(), name: z.string().nullish() })
  .meta({ id: 'ProviderVectorStore' })

export const vectorStoreWithFilesSchema = vectorStoreSchema
  .extend({
    files: z
      .array(providerFileSchema.extend({ status: z.string().optional().describe('How far it is indexed') }))
      .describe('At most 100'),
  })
  .meta({ id: 'ProviderVectorStoreWithFiles' })

export const deletedAtProviderSchema = z.looseObject({ id: z.string(), deleted: z.boolean() })

export type ProviderFile = z.infer<typeof providerFileSchema>
export type VectorStore = z.infer<typeof vectorStoreSchema>
export type VectorStoreWithFiles = z.infer<typeof vectorStoreWithFilesSchema>
export type CreateVectorStore = z.infer<typeof createVectorStoreSchema>
export type UpdateVectorStore = z.infer<typeof updateVectorStoreSchema>
