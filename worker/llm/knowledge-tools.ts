/** Knowledge as tools: one per store, so that the model decides when and where to search. */

import { flagOf, itemsOf, textOf } from '../inputs/node-inputs.ts'
import type { StepContext } from '../nodes/types.ts'
import type { CallableTool } from '../tools/types.ts'

interface KnowledgeSource {
  /** Display name, from which the tool's name is derived. */
  name: string
  description: string
  cites: boolean
  search(query: string): Promise<{ pageContent: string }[]>
}

export function knowledgeTools({ inputs, knowledge, components, signal }: StepContext): CallableTool[] {
  const documentStores = itemsOf(inputs.agentKnowledgeDocumentStores).flatMap((row): KnowledgeSource[] => {
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
  const vectorStores = itemsOf(inputs.agentKnowledgeVSEmbeddings).flatMap((row): KnowledgeSource[] => {
    const store = textOf(row.vectorStore)
    if (store === '') return []
    return [
      {
        name: textOf(row.knowledgeName) || store,
        description: textOf(row.knowledgeDescription),
        cites: flagOf(row.returnSourceDocuments),
        search: async (query) => (await components.vectorSearch(row))(query),
      },
    ]
  })
  return [...documentStores, ...vectorStores].map(searchTool)
}

function searchTool({ name, description, cites, search }: KnowledgeSource): CallableTool {
  return {
    name: toolName(name),
    description: description || `Searches ${name}`,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'What to search for' } },
      required: ['input'],
      additionalProperties: false,
    },
    hasEffect: false,
    async call({ input }, _key, step) {
      const documents = await search(String(input))
      if (cites) step?.cite(documents)
      return documents.map(({ pageContent }) => pageContent).join('\n\n') || 'No results found'
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
