import { textOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { RETRIEVER_CATEGORY } from './definition.ts'
import { requireRoute, routeParams } from './route.ts'

export const promptRetriever: ComponentNodeType = {
  definition: {
    label: 'Prompt Retriever',
    name: 'promptRetriever',
    version: 1,
    type: 'PromptRetriever',
    category: RETRIEVER_CATEGORY,
    description: 'One option for a Multi Prompt Chain',
    baseClasses: ['PromptRetriever'],
    inputs: [
      ...routeParams('Prompt', { name: 'physics', description: 'Good for questions about physics' }),
      {
        label: 'Prompt system message',
        name: 'systemMessage',
        type: 'string',
        rows: 4,
        placeholder: 'You are a physicist who explains simply.',
      },
    ],
  },
  provide: async (context) =>
    toComponent('route', { ...requireRoute(context), system: textOf(context.inputs.systemMessage) }),
}
