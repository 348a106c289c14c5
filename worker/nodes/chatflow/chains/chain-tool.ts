import { flagOf, textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { requireComponent, toComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { requireToolName } from '../retrievers/retriever-tool.ts'

export const chainTool: ComponentNodeType = {
  definition: {
    label: 'Chain Tool',
    name: 'chainTool',
    version: 1,
    type: 'ChainTool',
    category: 'Tools',
    description: 'Lets an agent call a chain or another agent',
    baseClasses: ['ChainTool', 'DynamicTool', 'Tool', 'StructuredTool', 'Runnable'],
    inputs: [
      { label: 'Chain name', name: 'name', type: 'string', placeholder: 'answer_from_handbook' },
      {
        label: 'Chain description',
        name: 'description',
        type: 'string',
        rows: 3,
        description: 'When the agent should use it',
        placeholder: 'Answers questions about the company',
      },
      {
        label: 'Return direct',
        name: 'returnDirect',
        type: 'boolean',
        description: 'Return the chain’s answer as the agent’s answer',
        optional: true,
      },
      anchor('Base chain', 'baseChain', 'BaseChain'),
    ],
  },
  async provide(context) {
    const { inputs, node } = context
    const chain = await requireComponent(context, 'baseChain', 'chain', 'a chain')
    return toComponent('tools', [
      {
        name: requireToolName(inputs, node.label),
        description: textOf(inputs.description),
        parameters: {
          type: 'object',
          properties: { input: { type: 'string', description: 'What to ask' } },
          required: ['input'],
        },
        // What the chain is made of is not known here.
        hasEffect: true,
        returnDirect: flagOf(inputs.returnDirect),
        async call({ input }, key, step) {
          const { text, sourceDocuments = [] } = await chain.ask(textOf(input), key)
          step?.cite(sourceDocuments)
          return text
        },
      },
    ])
  },
}
