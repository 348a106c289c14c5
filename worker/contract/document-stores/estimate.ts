/** Estimates the chunks, tokens and cost of an upsert before it runs. */
import * as z from 'zod'
import { withMaxKeys } from '../schemas/max-keys.ts'

/** POST /document-store/vectorstore/estimate */
export const estimateRequestSchema = z.object({
  storeId: z.string().max(100),
  docId: z.string().max(100).optional().describe('Only this loader'),
  embeddingName: z.string().max(200).nullish().describe('Not saved yet; null: no embeddings'),
  embeddingConfig: withMaxKeys(z.record(z.string().max(200), z.unknown()), 200).nullish(),
})

export const estimateSchema = z
  .object({
    chunks: z.int().describe('That are not embedded yet with these embeddings'),
    tokens: z.int().describe('About so many, as our own counter has it'),
    price: z.number().nullable().describe('US dollars; null when there are no embeddings or the price is unknown'),
    isEmbedded: z.boolean().describe('False without embeddings: nothing is spent'),
  })
  .meta({ id: 'UpsertEstimate' })

export type EstimateRequest = z.infer<typeof estimateRequestSchema>
export type Estimate = z.infer<typeof estimateSchema>
