/** Document stores and chunks in a file, in Flowise's shape: the schemas of their rows. Pure. */
import * as z from 'zod'
import { isRecord, isTooDeep, tryParseJson } from '#contract/data/json.ts'
import { MAX_CHUNK_CHARS, MAX_COMPONENT_CHARS, MAX_LOADERS, MAX_SOURCES } from '#contract/document-stores/limits.ts'
import { searchConfigSchema } from '#contract/document-stores/search.ts'
import { componentChoiceSchema } from '#contract/document-stores/stores.ts'
import { date, id } from '../columns.ts'

const MAX_LOADERS_CHARS = 1_000_000
const MAX_METADATA = 100_000

const shortText = z
  .string()
  .max(200)
  .nullish()
  .transform((value) => value ?? '')

/** A column with JSON, as text (as in Flowise's files) or as a value. Empty columns are null. */
const jsonOf = <Schema extends z.ZodType>(schema: Schema, maxChars = MAX_COMPONENT_CHARS) =>
  z.preprocess((value, { addIssue }) => {
    if (value === undefined || value === '') return null
    const isText = typeof value === 'string'
    if ((isText ? value : JSON.stringify(value)).length > maxChars) {
      addIssue(`This may have at most ${maxChars.toLocaleString('en')} characters. Shorten it`)
      return z.NEVER
    }
    const parsed = isText ? tryParseJson(value) : value
    return isTooDeep(parsed) ? undefined : parsed
  }, schema)

const config = z
  .record(z.string().max(200), z.unknown())
  .nullish()
  .transform((value) => value ?? {})

const fileRow = z.object({
  id: id.optional(),
  name: z.string().min(1).max(1000),
  /** Absent from Flowise's files, as are other columns that are optional here. */
  key: z.string().min(1).max(10_000).optional(),
  mimePrefix: z.string().max(200).nullish(),
  size: z.int().nonnegative().catch(0),
  status: z.enum(['SYNC', 'FAILED', 'GONE']).catch('SYNC'),
})

const loaderRow = z.object({
  id,
  loaderId: z.string().min(1).max(200),
  loaderName: shortText,
  loaderConfig: config,
  splitterId: shortText,
  splitterName: shortText,
  splitterConfig: config,
  status: z.string().optional(),
  files: z
    .array(fileRow)
    .max(MAX_SOURCES)
    .nullish()
    .transform((value) => value ?? []),
})

export const storeRow = z.object({
  id: id.optional(),
  name: z.string().trim().min(1, 'Name is required').max(200),
  description: z
    .string()
    .max(10_000)
    .nullish()
    .transform((value) => value ?? ''),
  loaders: jsonOf(
    z
      .array(loaderRow)
      .max(MAX_LOADERS)
      .nullable()
      .transform((value) => value ?? []),
    MAX_LOADERS_CHARS,
  ),
  embeddingConfig: jsonOf(componentChoiceSchema.nullable()),
  vectorStoreConfig: jsonOf(componentChoiceSchema.nullable()),
  recordManagerConfig: jsonOf(componentChoiceSchema.nullable()),
  searchConfig: jsonOf(searchConfigSchema.nullable()),
  createdDate: date.optional(),
})

/** Fields in the file that an import recomputes. */
export const STORE_KEYS = [...Object.keys(storeRow.shape), 'whereUsed', 'status', 'updatedDate']

export const chunkRow = z.object({
  id: id.optional(),
  docId: id,
  storeId: id,
  chunkNo: z.int().nonnegative(),
  pageContent: z
    .string()
    .min(1, 'A chunk can’t be empty')
    .max(MAX_CHUNK_CHARS, `A chunk may have at most ${MAX_CHUNK_CHARS.toLocaleString('en')} characters`),
  metadata: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .nullish()
    .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value ?? {})))
    .refine((text) => text.length <= MAX_METADATA, 'This has too much text')
    .refine((text) => isRecord(tryParseJson(text)) && !isTooDeep(tryParseJson(text)), 'This is not a JSON object'),
  headings: z.string().max(10_000).default(''),
  sourceId: id.optional(),
  isEnabled: z.boolean().default(true),
})

export type LoaderRow = z.infer<typeof loaderRow>
export type FileRow = z.infer<typeof fileRow>
export type StoreRow = z.infer<typeof storeRow>
