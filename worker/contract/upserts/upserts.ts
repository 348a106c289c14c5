/** Payloads of the calls that fill the vector store of a chat flow, in Flowise's shape. */
import * as z from 'zod'
import { overrideConfigSchema } from '../predictions/predictions.ts'
import type { UpsertProgress } from '../runs/events.ts'
import { dateSchema } from '../schemas/responses.ts'

/** Clients of Flowise send their chat and an empty question along; both are of no use here. */
export const upsertFlowSchema = z.object({
  stopNodeId: z.string().max(500).nullish().describe('The vector store, where the flow has several'),
  overrideConfig: overrideConfigSchema.nullish(),
  chatId: z.string().max(200).nullish(),
  question: z.string().max(10_000).nullish(),
})

/** Fields of a multipart call, with its files in `files`. */
export const upsertFlowFields = {
  text: ['stopNodeId', 'chatId', 'question', 'sessionId'],
  json: ['overrideConfig', 'vars'],
}

const counts = {
  numAdded: z.int().describe('Documents that were written'),
  numDeleted: z.int(),
  numUpdated: z.int(),
  numSkipped: z.int().describe('With a record manager: documents that were there already'),
}

/** Answers name so many of the documents that were written. */
export const MAX_ADDED_DOCS = 100

const progressSchema: z.ZodType<UpsertProgress> = z.object({
  sources: z.int().describe('Files and pages that were read'),
  chunks: z.int().optional().describe('Known when everything is read'),
  done: z.int().describe('Chunks that are in the store'),
  tokens: z.int(),
})

/** An upsert that nobody waits for. */
export const flowUpsertJobSchema = z
  .object({
    id: z.string(),
    chatflowid: z.string(),
    storeId: z.string().describe('The id of the vector store’s node'),
    state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    reason: z.string().nullable().describe('Why it failed'),
    progress: progressSchema,
    result: z.object(counts).nullable().describe('What it did, once it is done'),
    createdDate: dateSchema,
    endedDate: dateSchema.nullable(),
  })
  .meta({ id: 'FlowUpsertJob' })

export const flowUpsertSchema = z
  .object({
    ...counts,
    addedDocs: z
      .array(z.object({ pageContent: z.string(), metadata: z.record(z.string(), z.unknown()) }))
      .describe(`At most ${MAX_ADDED_DOCS}; none for callers who are not of the workspace`),
  })
  .meta({ id: 'FlowUpsert' })

const upsertedNodeSchema = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  category: z.string(),
  paramValues: z.array(z.object({ label: z.string(), name: z.string(), type: z.string(), value: z.string() })),
})

export const flowUpsertHistorySchema = z
  .object({
    id: z.string(),
    chatflowid: z.string(),
    result: z.object(counts),
    flowData: z.array(upsertedNodeSchema).describe('The nodes that took part, with their plain inputs'),
    date: dateSchema,
  })
  .meta({ id: 'FlowUpsertHistory' })

export type UpsertFlow = z.infer<typeof upsertFlowSchema>
export type FlowUpsert = z.infer<typeof flowUpsertSchema>

export type FlowUpsertJob = z.infer<typeof flowUpsertJobSchema>
export type FlowUpsertHistory = z.infer<typeof flowUpsertHistorySchema>
