/** Payloads of a store's chunks, in Flowise's shape. */
import * as z from 'zod'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { MAX_CHUNK_CHARS } from './limits.ts'

const chunkSchema = z
  .object({
    id: z.string(),
    docId: z.string().describe('The loader'),
    storeId: z.string(),
    chunkNo: z.int().describe('From 1'),
    pageContent: z.string(),
    metadata: z.string().describe('JSON text'),
    tokens: z.int(),
    isEnabled: z.boolean(),
    isEdited: z.boolean(),
    /** What the source says now under a person's edit, empty when it no longer has the text; null: nothing to decide. */
    proposedContent: z.string().nullable(),
    sourceName: z.string(),
  })
  .meta({ id: 'DocumentChunk' })

export const listChunksSchema = z.object({
  search: z.string().max(200).optional(),
  /** Only chunks whose edit stands against a changed source. */
  conflicts: z.enum(['true', 'false']).optional(),
  /** Only chunks of this source. */
  sourceId: z.string().max(100).optional(),
})

export const chunkPageSchema = z
  .object({
    chunks: z.array(chunkSchema),
    count: z.int().describe('Of all pages'),
    characters: z.int(),
    file: z.unknown().describe('The loader; absent for all of them').optional(),
    currentPage: z.int(),
    storeName: z.string(),
    description: z.string(),
    docId: z.string(),
    workspaceId: z.string(),
  })
  .meta({ id: 'ChunkPage' })

export const updateChunkSchema = z.object({
  pageContent: z.string().min(1, 'A chunk can’t be empty').max(MAX_CHUNK_CHARS).optional(),
  metadata: withMaxKeys(z.record(z.string().max(200), z.unknown()), 200).optional(),
  isEnabled: z.boolean().optional(),
  /** Decides an edit against a changed source: `edit` stays, or the `source` is taken. */
  resolve: z.enum(['edit', 'source']).optional(),
})

export type DocumentChunk = z.infer<typeof chunkSchema>
export type ChunkPage = z.infer<typeof chunkPageSchema>
export type UpdateChunk = z.infer<typeof updateChunkSchema>
