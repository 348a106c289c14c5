import { expect, it } from 'vitest'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { missingInput, toChoice } from './component-choice.ts'

const embedder: ComponentDefinition = {
  label: 'OpenAI Embeddings',
  name: 'openAIEmbeddings',
  version: 1,
  type: 'OpenAIEmbeddings',
  category: 'Embeddings',
  description: '',
  baseClasses: [],
  credential: { label: 'Connect credential', name: 'credential', type: 'credential', credentialNames: ['openAIApi'] },
  inputs: [
    { label: 'Model', name: 'modelName', type: 'string', default: 'small' },
    { label: 'Address', name: 'basepath', type: 'string', show: { modelName: 'own' } },
    { label: 'Dimensions', name: 'dimensions', type: 'number', optional: true },
  ],
}

it('starts with the defaults of its inputs', () => {
  expect(toChoice(embedder)).toMatchObject({ name: 'openAIEmbeddings', config: { modelName: 'small' } })
})

it.each([
  [{}, 'OpenAI Embeddings: fill in “Connect credential”.'],
  [{ FLOWISE_CREDENTIAL_ID: 'c' }, undefined],
  [{ FLOWISE_CREDENTIAL_ID: 'c', modelName: '' }, 'OpenAI Embeddings: fill in “Model”.'],
  [{ FLOWISE_CREDENTIAL_ID: 'c', modelName: 'own' }, 'OpenAI Embeddings: fill in “Address”.'],
])('names what %j lacks', (config, missing) => {
  expect(missingInput([embedder], { name: embedder.name, config })).toBe(missing)
})

it('nothing chosen lacks nothing', () => {
  expect(missingInput([embedder], null)).toBeUndefined()
})
