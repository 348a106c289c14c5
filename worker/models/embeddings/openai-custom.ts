/** Any server with OpenAI-compatible embeddings: Ollama, vLLM, LM Studio, llama.cpp, LocalAI and hosted ones. */
import { withoutTrailing } from '#contract/data/text.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { headers, needed, number, text } from '../../inputs/component-config.ts'
import type { ComponentContext } from '../../providers/types.ts'
import { openAIApi } from '../chat-openai.ts'
import { modelFetch } from '../model-fetch.ts'
import { batchSize, dimensions, embeddingsDefinition, stripNewLines, timeout } from './definition.ts'
import { chosenDimensions, embedWith, openEmbeddings } from './embeddings.ts'
import type { EmbedderType, Embeddings } from './types.ts'

const LABEL = 'OpenAI compatible embeddings'

export const openAIEmbeddingsCustom: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'OpenAI compatible embeddings (Ollama, vLLM, LM Studio...)',
    name: 'openAIEmbeddingsCustom',
    type: 'OpenAIEmbeddingsCustom',
    version: 3,
    description: 'Any server with OpenAI-compatible embeddings',
    credential: openAIApi,
    credentialOptional: true,
    inputs: [
      { label: 'Model name', name: 'modelName', type: 'string', placeholder: 'nomic-embed-text' },
      { label: 'Base path', name: 'basepath', type: 'string', placeholder: 'http://localhost:11434/v1' },
      stripNewLines,
      batchSize,
      timeout,
      additionalParam('Request headers', 'baseOptions', {
        type: 'json',
        description: 'Sent with each request, as a JSON object',
      }),
      dimensions,
    ],
  }),
  credential: openAIApi,

  open(context) {
    const { config, credential } = context
    return openCompatibleEmbeddings(context, {
      label: LABEL,
      component: 'openAIEmbeddingsCustom',
      baseURL: needed(text(config, 'basepath'), LABEL, 'Base path'),
      modelName: needed(text(config, 'modelName'), LABEL, 'Model name'),
      apiKey: text(credential, 'openAIApiKey'),
    })
  },
}

interface Compatible {
  label: string
  component: string
  baseURL: string
  modelName: string
  apiKey: string | undefined
}

export function openCompatibleEmbeddings(
  context: ComponentContext,
  { label, component, baseURL, modelName, apiKey }: Compatible,
): Embeddings {
  const { config, egress } = context
  const address = withoutTrailing(baseURL, '/')
  const length = chosenDimensions(config)
  return openEmbeddings(context, {
    label,
    identity: [component, modelName, length, address],
    maxBatch: 2048,
    dimensions: length,
    async embed(call) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const provider = createOpenAICompatible({
        name: 'openai',
        baseURL: address,
        apiKey,
        headers: headers(config, 'baseOptions'),
        fetch: modelFetch(egress, number(config, 'timeout')),
      })
      return embedWith(provider.embeddingModel(modelName), { ...call, dimensions: length })
    },
  })
}
