/** The chunks of a document store as documents. */

import { textOf } from '../../../inputs/node-inputs.ts'
import { loaderDefinition } from '../../../knowledge/loaders/stored-files.ts'
import type { ChatNodeType, StepContext } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { documentOutputs, runAsText } from './loader-node.ts'

export const selectedStoreParam = {
  label: 'Select store',
  name: 'selectedStore',
  type: 'asyncOptions',
  loadMethod: 'listStores',
}

export const storedDocuments: ChatNodeType = {
  definition: {
    ...loaderDefinition('Apps and storage', {
      label: 'Document Store',
      name: 'documentStore',
      version: 1,
      description: 'Uses the chunks of a document store',
      inputs: [selectedStoreParam],
    }),
    outputs: documentOutputs,
  },
  runsFor: ['text'],
  run: (context) => runAsText(context, { load: () => load(context) }),
  provide: async (context) => toComponent('documents', { load: () => load(context) }),
}

/** A flow that was drawn with a store and lost it, as all files do, has none of its documents. */
async function load({ inputs, knowledge, signal }: StepContext) {
  const store = textOf(inputs.selectedStore).trim()
  return store === '' ? [] : knowledge.documents({ store, signal })
}
