/** Knowledge as tools: one per store, so that the model decides when to search where. */

import { flagOf, itemsOf, textOf } from '../nodes/shared/inputs.ts'
import type { StepContext } from '../nodes/types.ts'
import type { CallableTool } from '../tools/types.ts'

interface Shelf {
  /** What the model calls it, before that is made a tool's name. */
  name: string
  description: string
  cites: boolean
  search(query: string): Promise<{ pageContent: string }[]>
}

export function knowledgeTools({ inputs, knowledge, signal }: StepContext): CallableTool[] {
  const documentStores = itemsOf(inputs.agentKnowledgeDocumentStores).flatMap((row): Shelf[] => {
    const store = textOf(row.documentStore)
    if (store === '') return []
    return [
      {
        name: store.replace(/^[^:]*:/, ''),
        description: textOf(row.docStoreDescription),
        cites: flagOf(row.returnSourceDocuments),
        search: (query) => knowledge.search({ store, query, signal }),
      },
    ]
  })
  const vectorStores = itemsOf(inputs.agentKnowledgeVSEmbeddings).flatMap((row): Shelf[] => {
    const store = textOf(row.vectorStore)
    if (store === '') return []
    return [
      {
        name: textOf(row.knowledgeName) || store,
        description: textOf(row.knowledgeDescription),
        cites: false,
        search: () =>
          Promise.reject(
            new Error(`Knowledge (Vector Embeddings): the vector store "${store}" cannot be searched from here`),
          ),
      },
    ]
  })
  return [...documentStores, ...vectorStores].map(searchTool)
}

function searchTool({ name, description, cites, search }: Shelf): CallableTool {
  return {
    name: toolName(name),
    description: description || `Searches ${name}`,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'What to look for' } },
      required: ['input'],
      additionalProperties: false,
    },
    hasEffect: false,
    async call({ input }, _key, step) {
      const documents = await search(String(input))
      if (cites) step?.cite(documents)
      return documents.map(({ pageContent }) => pageContent).join('\n\n') || 'Nothing was found'
    },
  }
}

function toolName(name: string): string {
  const letters = name
    .toLowerCase()
    .replace(/\s+/g, '_')
    .replace(/[^a-z0-9_-]/g, '')
  return letters.slice(0, 60) || 'knowledge'
}
