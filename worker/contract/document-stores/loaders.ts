/** Payloads of a store's loaders and their sources, in Flowise's shape. */
import * as z from 'zod'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { LOADER_STATES, SOURCE_STATES } from './states.ts'

const config = withMaxKeys(z.record(z.string().max(200), z.unknown()), 200)

const sourceSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.string().describe('What it is at its origin: an address, a path, a file’s name'),
    mimePrefix: z.string(),
    size: z.int().describe('Bytes'),
    status: z.enum(SOURCE_STATES),
    error: z.string().nullable().describe('Why it was not read'),
    pages: z.int(),
    chunks: z.int(),
    uploaded: z.string().describe('ISO date'),
  })
  .meta({ id: 'DocumentSource' })

export const loaderSchema = z
  .object({
    id: z.string(),
    loaderId: z.string().describe('The component: `pdfFile`'),
    loaderName: z.string(),
    loaderConfig: config,
    splitterId: z.string(),
    splitterName: z.string(),
    splitterConfig: config,
    totalChunks: z.int(),
    totalChars: z.int(),
    status: z.enum(LOADER_STATES),
    statusReason: z.string().nullable(),
    source: z.string().optional().describe('For people: names of files, an address'),
    credential: z.string().optional(),
    /** At most 100; `filesTotal` counts all. */
    files: z.array(sourceSchema),
    filesTotal: z.int(),
    filesFailed: z.int(),
    /** Edited chunks under which the source changed: a person decides. */
    conflicts: z.int(),
  })
  .meta({ id: 'DocumentLoader' })

const loaderFields = z.object({
  storeId: z.string().max(100),
  id: z.string().max(100).optional().describe('The loader to replace'),
  loaderId: z.string().max(200),
  loaderName: z.string().max(200).optional(),
  /** Files are data URIs, or `FILE-STORAGE::["a.pdf"]` of files that were sent before. */
  loaderConfig: config.default({}),
  splitterId: z.string().max(200).default(''),
  splitterName: z.string().max(200).optional(),
  splitterConfig: config.default({}),
  credential: z.string().max(100).optional(),
})

export const saveLoaderSchema = loaderFields

export const previewLoaderSchema = loaderFields.extend({
  /** -1: all. Web loaders read three pages at most. */
  previewChunkCount: z.int().min(-1).max(1000).default(20),
  rehydrated: z.boolean().optional(),
  preview: z.boolean().optional(),
})

/** A chunk and where it stands in the text of its document, so that a page can mark borders and overlap. */
const previewChunkSchema = z.object({
  pageContent: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  /** Index of its document in `documents`, and the characters from `start` to before `end` in it. */
  document: z.int(),
  start: z.int(),
  end: z.int(),
  tokens: z.int(),
})

export const previewSchema = z
  .object({
    chunks: z.array(previewChunkSchema),
    totalChunks: z.int().describe('Of what was read for the preview'),
    previewChunkCount: z.int(),
    /** The texts from which the shown chunks were cut; each at most 200,000 characters. */
    documents: z.array(z.object({ name: z.string(), text: z.string(), isCut: z.boolean() })),
    /** Tokens of all chunks that were read. */
    tokens: z.int(),
    chars: z.int(),
    /** To embed them with the store's embeddings: US dollars; null when there are none or the price is unknown. */
    price: z.number().nullable(),
    failed: z.array(z.object({ name: z.string(), error: z.string() })),
    /** More sources exist than the preview read. */
    isPartial: z.boolean(),
  })
  .meta({ id: 'LoaderPreview' })

/** POST /document-store/store/:id/files?name=: the bytes are the body. */
export const sentFileSchema = z
  .object({
    id: z.string(),
    name: z.string().describe('Unlike any other of the store'),
    mime: z.string(),
    size: z.int(),
  })
  .meta({ id: 'SentFile' })

export type DocumentLoader = z.infer<typeof loaderSchema>
export type DocumentSource = z.infer<typeof sourceSchema>
export type SaveLoader = z.infer<typeof saveLoaderSchema>
export type PreviewLoader = z.infer<typeof previewLoaderSchema>
export type LoaderPreview = z.infer<typeof previewSchema>
export type PreviewChunk = z.infer<typeof previewChunkSchema>
export type SentFile = z.infer<typeof sentFileSchema>
