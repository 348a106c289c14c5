import { textOf } from '../../../inputs/node-inputs.ts'
import type { PartType } from '../../types.ts'
import { partOf } from '../roles.ts'
import { RETRIEVER_CATEGORY } from './definition.ts'
import { routeOf, routeParams } from './route.ts'

export const promptRetriever: PartType = {
  definition: {
    label: 'Prompt Retriever',
    name: 'promptRetriever',
    version: 1,
    type: 'PromptRetriever',
    category: RETRIEVER_CATEGORY,
    description: 'A prompt between which and others a Multi Prompt Chain chooses',
    baseClasses: ['PromptRetriever'],
    inputs: [
      ...routeParams('Prompt', { name: 'physics', description: 'Good for questions about physics' }),
      {
        label: 'Prompt System Message',
        name: 'systemMessage',
        type: 'string',
        rows: 4,
        placeholder: 'You are a physicist who explains simply.',
      },
    ],
  },
  provide: async (context) => partOf('route', { ...routeOf(context), system: textOf(context.inputs.systemMessage) }),
}
