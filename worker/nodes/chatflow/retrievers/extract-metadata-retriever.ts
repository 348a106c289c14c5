import { tryParseJson } from '#contract/data/json.ts'
import type { MetadataFilter } from '#contract/document-stores/search.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { itemsOf, textOf } from '../../../inputs/node-inputs.ts'
import { callStructured } from '../../../llm/structured-call.ts'
import { structuredSchema } from '../../../llm/structured-output.ts'
import { requireComponent } from '../component-types.ts'
import { anchor, chatModelAnchor } from '../definition.ts'
import { fill } from '../prompts/template.ts'
import { topKOf } from '../vector-stores/open-retriever.ts'
import { queryParam, retrieverNode } from './definition.ts'
import { searchingNode } from './retrieved.ts'

const PROMPT = 'Extract from this search what the documents must be about. Leave out what it does not say.\n\n{query}'

const TYPES: Record<string, string> = {
  String: 'string',
  'String Array': 'stringArray',
  Number: 'number',
  Boolean: 'boolean',
  Enum: 'enum',
}

export const extractMetadataRetriever = searchingNode({
  definition: retrieverNode({
    label: 'Extract Metadata Retriever',
    name: 'extractMetadataRetriever',
    version: 1,
    type: 'ExtractMetadataRetriever',
    description: 'A model extracts a metadata filter from the question',
    inputs: [
      anchor('Vector store', 'vectorStore', 'VectorStore'),
      chatModelAnchor,
      queryParam,
      additionalParam('Prompt', 'dynamicMetadataFilterRetrieverPrompt', {
        rows: 4,
        description: 'Extraction prompt. Variable: {query}',
        default: PROMPT,
      }),
      additionalParam('JSON structured output', 'dynamicMetadataFilterRetrieverStructuredOutput', {
        type: 'datagrid',
        description: 'Metadata fields the model can filter by',
        datagrid: [
          { field: 'key', headerName: 'Key' },
          { field: 'type', headerName: 'Type', type: 'singleSelect', valueOptions: Object.keys(TYPES) },
          { field: 'enumValues', headerName: 'Enum values' },
          { field: 'description', headerName: 'Description', flex: 1 },
        ],
      }),
      additionalParam('Top K', 'topK', {
        type: 'number',
        description: 'Number of results. Default: 4',
        placeholder: '4',
      }),
    ],
  }),
  async open(context) {
    const { inputs } = context
    const store = await requireComponent(context, 'vectorStore', 'vectorStore', 'a vector store')
    const model = await requireComponent(context, 'model', 'model', 'a chat model')
    const topK = topKOf(inputs)
    const schema = parseSchema(inputs.dynamicMetadataFilterRetrieverStructuredOutput)
    const prompt = textOf(inputs.dynamicMetadataFilterRetrieverPrompt) || PROMPT
    return {
      async search(query, scope) {
        const content = `${fill(prompt, { query })}\n\nReply only with one JSON object that matches this JSON Schema:\n${JSON.stringify(schema)}`
        const messages = [{ role: 'user' as const, content }]
        const { value } = await callStructured({ open: model.open, messages, schema }, context)
        const own = filterOf(value)
        const filter = scope?.filter && own ? { $and: [scope.filter, own] } : (own ?? scope?.filter)
        const found = await store.find(query, { ...scope, topK, ...(filter && { filter }) })
        return found.map(({ document }) => document)
      },
    }
  },
})

/** A search need not say everything, so nothing is required. */
function parseSchema(value: unknown): Record<string, unknown> {
  const rows = itemsOf(typeof value === 'string' ? tryParseJson(value) : value)
  const schema = structuredSchema(rows.map((row) => ({ ...row, type: TYPES[textOf(row.type)] ?? 'string' })))
  if (!schema) throw new Error('Extract Metadata Retriever: add a key to JSON structured output')
  return { ...schema, required: [] }
}

/** Returns undefined where the search says nothing about metadata. */
function filterOf(value: Record<string, unknown>): MetadataFilter | undefined {
  const said = Object.entries(value).flatMap(([key, wanted]): [string, unknown][] => {
    if (wanted === null || wanted === undefined || wanted === '') return []
    if (!Array.isArray(wanted)) return [[key, wanted]]
    return wanted.length > 0 ? [[key, { $in: wanted }]] : []
  })
  return said.length > 0 ? Object.fromEntries(said) : undefined
}
