import { itemsOf, textOf } from '../../inputs/node-inputs.ts'
import { allInOrder } from '../../llm/settle-in-order.ts'
import type { KnowledgeDocument } from '../../ports/types.ts'
import { agentflowNode } from '../shared/definition.ts'
import { updateStateParam } from '../shared/params.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

export const retriever: NodeType = {
  definition: agentflowNode({
    label: 'Retriever',
    name: 'retrieverAgentflow',
    version: 1.1,
    type: 'Retriever',
    color: '#b8bedd',
    description: 'Searches document stores and passes on the results',
    hint: 'Searches every store in the list and returns the documents in the same order. Fails when a store does not exist.',
    inputs: [
      {
        label: 'Knowledge (document stores)',
        name: 'retrieverKnowledgeDocumentStores',
        type: 'array',
        description: 'The stores to search. Only stores with upserted documents are listed.',
        array: [{ label: 'Document store', name: 'documentStore', type: 'asyncOptions', loadMethod: 'listStores' }],
      },
      {
        label: 'Retriever query',
        name: 'retrieverQuery',
        type: 'string',
        description: 'The search query. Leave empty to use the flow’s input.',
        placeholder: 'What to search for',
        rows: 4,
        optional: true,
        acceptVariable: true,
      },
      {
        label: 'Output format',
        name: 'outputFormat',
        type: 'options',
        options: [
          { label: 'Text', name: 'text' },
          { label: 'Text with metadata', name: 'textWithMetadata' },
        ],
        default: 'text',
      },
      updateStateParam('retrieverUpdateState'),
    ],
  }),
  run,
}

async function run({ inputs, input, knowledge, signal, isLast, emit }: StepContext): Promise<StepResult> {
  const stores = itemsOf(inputs.retrieverKnowledgeDocumentStores).flatMap(({ documentStore }) => {
    const store = textOf(documentStore)
    return store ? [store] : []
  })
  if (stores.length === 0) throw new Error('Choose a document store')
  const query = textOf(inputs.retrieverQuery).trim() || input.text
  const found = await allInOrder(stores.map((store) => knowledge.search({ store, query, signal })))
  const documents = found.flat()
  const content = formatDocuments(documents, inputs.outputFormat)
  if (isLast && content) emit({ event: 'token', data: content })
  return {
    input: { question: query, retrieverKnowledgeDocumentStores: stores },
    output: { content, ...(documents.length > 0 && { sourceDocuments: documents }) },
  }
}

function formatDocuments(documents: KnowledgeDocument[], format: unknown): string {
  if (format === 'textWithMetadata') return JSON.stringify(documents, null, 2)
  return documents.map(({ pageContent }) => pageContent).join('\n')
}
