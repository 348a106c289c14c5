/** Embedders of servers on one's own machine, which speak OpenAI's protocol under names of their own. */
import { withoutTrailing } from '#contract/data/text.ts'
import { keyCredential } from '#contract/flow/params/builders.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { ollamaApi } from '../chat-ollama.ts'
import { batchSize, embeddingsDefinition, stripNewLines } from './definition.ts'
import { openCompatibleEmbeddings } from './openai-custom.ts'
import type { EmbedderType } from './types.ts'

const localAIApi = keyCredential({ label: 'LocalAI API', name: 'localAIApi' }, { name: 'localAIApiKey' })

export const ollamaEmbedding: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'Ollama Embeddings',
    name: 'ollamaEmbedding',
    type: 'OllamaEmbeddings',
    version: 1,
    description: 'Open models that run on your machine with Ollama',
    credential: ollamaApi,
    credentialOptional: true,
    inputs: [
      { label: 'Base URL', name: 'baseUrl', type: 'string', default: 'http://localhost:11434' },
      { label: 'Model name', name: 'modelName', type: 'string', placeholder: 'nomic-embed-text' },
      stripNewLines,
      batchSize,
    ],
  }),
  credential: ollamaApi,

  open(context) {
    const { config, credential } = context
    const baseUrl = needed(text(config, 'baseUrl'), 'Ollama', 'Base URL')
    return openCompatibleEmbeddings(context, {
      label: 'Ollama',
      component: 'ollamaEmbedding',
      baseURL: `${withoutTrailing(baseUrl, '/')}/v1`,
      modelName: needed(text(config, 'modelName'), 'Ollama', 'Model name'),
      apiKey: text(credential, 'ollamaApiKey'),
    })
  },
}

export const localAIEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'LocalAI Embeddings',
    name: 'localAIEmbeddings',
    type: 'LocalAI Embeddings',
    version: 1,
    description: 'Open models that run on your machine with LocalAI',
    credential: localAIApi,
    credentialOptional: true,
    inputs: [
      { label: 'Base path', name: 'basePath', type: 'string', placeholder: 'http://localhost:8080/v1' },
      { label: 'Model name', name: 'modelName', type: 'string', placeholder: 'text-embedding-ada-002' },
      stripNewLines,
      batchSize,
    ],
  }),
  credential: localAIApi,

  open(context) {
    const { config, credential } = context
    return openCompatibleEmbeddings(context, {
      label: 'LocalAI',
      component: 'localAIEmbeddings',
      baseURL: needed(text(config, 'basePath'), 'LocalAI', 'Base path'),
      modelName: needed(text(config, 'modelName'), 'LocalAI', 'Model name'),
      apiKey: text(credential, 'localAIApiKey'),
    })
  },
}
