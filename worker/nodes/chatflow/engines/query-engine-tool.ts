import { textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { requireComponent, toComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { QUERY_ENGINE } from './query-engine-answer.ts'

export const queryEngineTool: ComponentNodeType = {
  definition: {
    label: 'QueryEngine Tool',
    name: 'queryEngineToolLlamaIndex',
    version: 2,
    type: 'QueryEngineTool',
    category: 'Tools',
    description: 'Makes an engine available to a Sub Question Query Engine',
    baseClasses: ['QueryEngineTool'],
    tags: ['LlamaIndex'],
    inputs: [
      anchor('Base query engine', 'baseQueryEngine', QUERY_ENGINE),
      { label: 'Tool name', name: 'toolName', type: 'string', placeholder: 'annual_report' },
      {
        label: 'Tool description',
        name: 'toolDesc',
        type: 'string',
        rows: 4,
        description: 'What the engine can answer',
        placeholder: 'The annual report of 2025',
      },
    ],
  },
  async provide(context) {
    const chain = await requireComponent(context, 'baseQueryEngine', 'chain', 'a query engine')
    const name = textOf(context.inputs.toolName).trim()
    if (name === '') throw new Error(`${context.node.label}: enter a name`)
    return toComponent('route', { name, description: textOf(context.inputs.toolDesc), chain })
  },
}
