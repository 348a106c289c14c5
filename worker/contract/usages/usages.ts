/** Which assets of a workspace are used, and by whom. */
import * as z from 'zod'
import { flowTypeSchema } from '../flow/flow-type-schema.ts'

const ASSET_KINDS = ['credential', 'variable', 'tool', 'mcpServer', 'flow', 'documentStore', 'assistant'] as const
export type AssetKind = (typeof ASSET_KINDS)[number]

const OWNER_KINDS = ['flow', 'assistant', 'tool', 'mcpServer', 'documentStore'] as const

/** Users of an asset that are listed by name; the others are only counted. */
export const MAX_LISTED_USERS = 100

export const usagesQuerySchema = z.object({
  kind: z.enum(ASSET_KINDS),
  asset: z.string().min(1).max(200).describe('The asset’s id; of a variable, its name'),
})

const assetUserSchema = z.object({
  kind: z.enum(OWNER_KINDS),
  id: z.string(),
  name: z.string(),
  type: flowTypeSchema.nullable().describe('The flow’s type; null for what is no flow'),
})

export const usagesSchema = z
  .object({
    data: z.array(assetUserSchema).describe(`At most ${MAX_LISTED_USERS}, sorted by name`),
    total: z.int().describe('Counts also what the caller may not view'),
  })
  .meta({ id: 'Usages' })

export type UsagesQuery = z.infer<typeof usagesQuerySchema>
export type AssetUser = z.infer<typeof assetUserSchema>
export type Usages = z.infer<typeof usagesSchema>
