import { allInOrder } from '../../llm/in-order.ts'
import type { KnowledgeDocument } from '../../ports/types.ts'
import { agentflowNode } from '../shared/definition.ts'
import { itemsOf, textOf } from '../shared/inputs.ts'
import { updateStateParam } from '../shared/params.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

export const retriever: NodeType = {
  definition: agentflowNode({
    label: 'Retriever',
    name: 'retrieverAgentflow',
    version: 1.1,
    type: 'Retriever',
    color: '#b8bedd',
    description: 'Searches document stores and hands on what was found',
    hint: 'All stores of the list are searched, and their documents follow each other in its order. A store that does not exist is an error.',
    inputs: [
      {
        label: 'Knowledge (Document Stores)',
        name: 'retrieverKnowledgeDocumentStores',
        type: 'array',
        description: 'Where to search; only stores that were upserted can be chosen',
        array: [{ label: 'Document Store', name: 'documentStore', type: 'asyncOptions', loadMethod: 'listStores' }],
      },
      {
        label: 'Retriever Query',
        name: 'retrieverQuery',
        type: 'string',
        description: 'What to search for; left empty, the input of the flow',
        placeholder: 'What to search for',
        rows: 4,
        optional: true,
        acceptVariable: true,
      },
      {
        label: 'Output Format',
        name: 'outputFormat',
        type: 'options',
        options: [
          { label: 'Text', name: 'text' },
          { label: 'Text with Metadata', name: 'textWithMetadata' },
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
  const content = written(found.flat(), inputs.outputFormat)
  if (isLast && content) emit({ event: 'token', data: content })
  return { input: { question: query, retrieverKnowledgeDocumentStores: stores }, output: { content } }
}

function written(documents: KnowledgeDocument[], format: unknown): string {
  if (format === 'textWithMetadata') return JSON.stringify(documents, null, 2)
  return documents.map(({ pageContent }) => pageContent).join('\n')
}
