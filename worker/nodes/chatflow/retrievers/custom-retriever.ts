import { additionalParam } from '#contract/flow/params/builders.ts'
import { textOf } from '../../../inputs/node-inputs.ts'
import type { KnowledgeDocument } from '../../../ports/types.ts'
import { requireComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { topKOf } from '../vector-stores/open-retriever.ts'
import { queryParam, retrieverNode } from './definition.ts'
import { searchingNode } from './retrieved.ts'

const FORMAT = '{{context}}\nSource: {{metadata.source}}'
/** No value is read for a second time, so that a document cannot ask for the metadata of its own. */
const PLACEHOLDER = /\{\{(context|metadata\.[\w.]{1,100})\}\}/g

export const customRetriever = searchingNode({
  definition: retrieverNode({
    label: 'Custom Retriever',
    name: 'customRetriever',
    version: 1,
    type: 'CustomRetriever',
    description: 'Formats vector store results your way',
    inputs: [
      anchor('Vector store', 'vectorStore', 'VectorStore'),
      queryParam,
      {
        label: 'Result format',
        name: 'resultFormat',
        type: 'string',
        rows: 4,
        default: FORMAT,
        description: 'Template for each result. {{context}} is its text, {{metadata.key}} a metadata value',
      },
      additionalParam('Top K', 'topK', {
        type: 'number',
        description: 'Number of results. Default: 4',
        placeholder: '4',
      }),
    ],
  }),
  async open(context) {
    const store = await requireComponent(context, 'vectorStore', 'vectorStore', 'a vector store')
    const topK = topKOf(context.inputs)
    // As saved: it has braces of its own.
    const format = textOf(context.rawInputs.resultFormat) || FORMAT
    return {
      async search(query, scope) {
        const found = await store.find(query, { ...scope, topK })
        return found.map(({ document }) => ({ ...document, pageContent: formatDocument(format, document) }))
      },
    }
  },
})

function formatDocument(format: string, { pageContent, metadata }: KnowledgeDocument): string {
  return format.replace(PLACEHOLDER, (_, place: string) =>
    place === 'context' ? pageContent : formatValue(valueAt(metadata, place.split('.').slice(1))),
  )
}

const formatValue = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value)

function valueAt(metadata: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    metadata,
  )
}
