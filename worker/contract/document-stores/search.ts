/** Search request and results of a store. */
import * as z from 'zod'
import { withMaxKeys } from '../schemas/max-keys.ts'

export const SEARCH_MODES = ['keyword', 'vector', 'hybrid'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]

/**
 * The one grammar of metadata filters: `{"lang": "en"}`, `{"year": {"$gte": 2020}}`, `{"$or": [...]}`. Operators: `$eq`,
 * `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in`, `$nin`, `$exists`, `$and`, `$or`, `$not`. A store that cannot do one refuses it by name.
 */
const metadataFilterSchema = withMaxKeys(z.record(z.string().max(200), z.unknown()), 50)

export const searchConfigSchema = z.object({
  mode: z.enum(SEARCH_MODES).optional().describe('Default: hybrid with embeddings, otherwise keyword'),
  topK: z.int().min(1).max(100).optional().describe('Default: 4'),
  /** 0 to 1: chunks that score less are left out. Only for vector search and rerankers. */
  threshold: z.number().min(0).max(1).optional(),
  filter: metadataFilterSchema.optional(),
  /** Maximal marginal relevance: 0 is most diverse, 1 is off. */
  mmrLambda: z.number().min(0).max(1).optional(),
  reranker: z
    .object({ name: z.string().max(200), config: withMaxKeys(z.record(z.string().max(200), z.unknown()), 200) })
    .nullable()
    .optional(),
  /** Adds so many chunks before and after each hit, or its whole section. */
  neighbours: z.union([z.int().min(0).max(5), z.literal('section')]).optional(),
})

/** POST /document-store/vectorstore/query */
export const queryStoreSchema = z.object({
  storeId: z.string().max(100),
  query: z.string().min(1, 'Enter a query').max(10_000),
  inputs: searchConfigSchema.optional(),
})

const scoreSchema = z.object({
  score: z.number().describe('BM25 for keyword, cosine for vector, reciprocal ranks for hybrid'),
  rank: z.int().describe('From 1'),
})

const foundChunkSchema = z
  .object({
    pageContent: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    id: z.string(),
    chunkNo: z.int(),
    docId: z.string(),
    score: z.number(),
    /** Where it stood in each search that took part. */
    ranks: z.partialRecord(z.enum(['keyword', 'vector', 'reranker']), scoreSchema),
  })
  .meta({ id: 'FoundChunk' })

export const queryAnswerSchema = z
  .object({
    timeTaken: z.number().describe('Milliseconds'),
    mode: z.enum(SEARCH_MODES),
    docs: z.array(foundChunkSchema),
    /** Warnings about parts that failed without failing the search, such as a reranker. */
    notes: z.array(z.string()),
  })
  .meta({ id: 'StoreQueryAnswer' })

export type SearchConfig = z.infer<typeof searchConfigSchema>
export type MetadataFilter = z.infer<typeof metadataFilterSchema>
export type FoundChunk = z.infer<typeof foundChunkSchema>
export type QueryAnswer = z.infer<typeof queryAnswerSchema>
export type QueryStore = z.infer<typeof queryStoreSchema>
