import { json } from '../../../inputs/component-config.ts'
import { flagOf, textOf } from '../../../inputs/node-inputs.ts'
import type { CallableTool } from '../../../tools/types.ts'
import type { ComponentNodeType } from '../../types.ts'
import { contextText } from '../chains/retrieval-answer.ts'
import { requireComponent, toComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'

export const retrieverTool: ComponentNodeType = {
  definition: {
    label: 'Retriever Tool',
    name: 'retrieverTool',
    version: 3,
    type: 'RetrieverTool',
    category: 'Tools',
    description: 'Lets an agent search documents',
    baseClasses: ['RetrieverTool', 'DynamicTool', 'Tool', 'StructuredTool', 'Runnable'],
    inputs: [
      { label: 'Retriever name', name: 'name', type: 'string', placeholder: 'search_state_of_union' },
      {
        label: 'Retriever description',
        name: 'description',
        type: 'string',
        description: 'When the agent should use it',
        rows: 3,
        placeholder: 'Searches the handbook of the company',
      },
      anchor('Retriever', 'retriever', 'BaseRetriever'),
      { label: 'Return source documents', name: 'returnSourceDocuments', type: 'boolean', optional: true },
      {
        label: 'Additional metadata filter',
        name: 'retrieverToolMetadataFilter',
        type: 'json',
        description: 'Search only documents with this metadata, for example {"lang": "en"}',
        optional: true,
        additionalParams: true,
        acceptVariable: true,
      },
    ],
  },
  async provide(context) {
    const { inputs, node } = context
    const retriever = await requireComponent(context, 'retriever', 'retriever', 'a retriever')
    const filter = json(inputs, 'retrieverToolMetadataFilter')
    const tool: CallableTool = {
      name: requireToolName(inputs, node.label),
      description: textOf(inputs.description),
      parameters: {
        type: 'object',
        properties: { input: { type: 'string', description: 'What to search for' } },
        required: ['input'],
      },
      hasEffect: false,
      async call({ input }, _key, step) {
        const documents = await retriever.search(textOf(input), filter && { filter })
        if (flagOf(inputs.returnSourceDocuments)) step?.cite(documents)
        return contextText(documents) || 'Nothing was found.'
      },
    }
    return toComponent('tools', [tool])
  },
}

/** Returns the name as models take it. */
export function requireToolName({ name }: Record<string, unknown>, label: string): string {
  const written = textOf(name)
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, '_')
  if (written === '') throw new Error(`${label}: enter a name of letters and digits`)
  return written.slice(0, 64)
}
