/** The search of the top bar. */
import * as z from 'zod'
import { flowTypeSchema } from '../flow/flow-type-schema.ts'
import { dateSchema } from '../schemas/responses.ts'

/** The kinds of results, in the order in which they are returned. */
export const SEARCH_KINDS = [
  'flow',
  'template',
  'execution',
  'trigger',
  'credential',
  'variable',
  'apikey',
  'tool',
  'documentStore',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** Newest rows of each kind, and of each type of flow, that a search looks at. */
export const SEARCH_WINDOW = 500
/** Results of each kind, and of each type of flow. */
export const SEARCH_RESULTS = 8

export const searchQuerySchema = z.object({ q: z.string().trim().min(1, 'Enter a search term').max(100) })

const resultSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  type: flowTypeSchema.nullable().describe('Of a flow; null for everything else'),
  id: z.string(),
  title: z.string().describe('The name; for a run, its question'),
  detail: z.string().nullable().describe('The flow of a run or trigger'),
  date: dateSchema
    .nullable()
    .describe('When it was last updated; for a run, when it began; null for a built-in template'),
})

export const searchSchema = z.object({ data: z.array(resultSchema) }).meta({ id: 'SearchResults' })

export type SearchResult = z.infer<typeof resultSchema>
