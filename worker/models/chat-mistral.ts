import { withoutTrailing } from '#contract/data/text.ts'
import { additionalParam, keyCredential } from '#contract/flow/params/builders.ts'
import { isOn, needed, number, present, text } from '../inputs/component-config.ts'
import { loadOnce } from '../providers/load-once.ts'
import { adaptRequests } from './abilities.ts'
import { additionalNumber, allowImageUploads, chatModel, modelName, temperature, topP } from './definition.ts'
import { modelFetch } from './model-fetch.ts'
import { findPrice } from './prices.ts'
import { loadReading } from './streams/load-reading.ts'
import type { ModelProvider } from './types.ts'

const loadSdk = loadOnce(() => import('@ai-sdk/mistral'))
const LABEL = 'Mistral AI'

export const mistralAIApi = keyCredential(
  { label: 'MistralAI API', name: 'mistralAIApi', hosts: ['api.mistral.ai'] },
  { name: 'mistralAIAPIKey' },
)

export const chatMistralAI: ModelProvider = {
  definition: chatModel({
    label: LABEL,
    name: 'chatMistralAI',
    type: 'ChatMistralAI',
    version: 4,
    description: 'Models by Mistral AI',
    credential: mistralAIApi,
    inputs: [
      modelName([
        'mistral-small-latest',
        'mistral-medium-latest',
        'mistral-large-latest',
        'ministral-8b-latest',
        'codestral-latest',
        'open-mistral-nemo',
      ]),
      temperature,
      allowImageUploads,
      additionalNumber('Max output tokens', 'maxOutputTokens', { step: 1 }),
      topP,
      additionalNumber('Random seed', 'randomSeed', { step: 1 }),
      additionalParam('Safe mode', 'safeMode', {
        type: 'boolean',
        description: 'Adds a safety prompt before the conversation',
      }),
      additionalParam('Override endpoint', 'overrideEndpoint', { type: 'string' }),
    ],
  }),
  credential: mistralAIApi,

  async open({ config, credential, egress }) {
    const { createMistral } = await loadSdk()
    const name = needed(text(config, 'modelName'), LABEL, 'Model name')
    const endpoint = withoutTrailing(text(config, 'overrideEndpoint') ?? '', '/')
    const { readingAnswers } = await loadReading()
    const apiKey = needed(text(credential, 'mistralAIAPIKey'), LABEL, 'the API key in the credential')
    const baseURL = endpoint === '' ? undefined : endpoint.endsWith('/v1') ? endpoint : `${endpoint}/v1`
    const model = readingAnswers((send) => createMistral({ apiKey, baseURL, fetch: send })(name), {
      send: adaptRequests(modelFetch(egress)),
      modelId: name,
    })
    const settings = present({
      temperature: number(config, 'temperature'),
      maxOutputTokens: number(config, 'maxOutputTokens'),
      topP: number(config, 'topP'),
      seed: number(config, 'randomSeed'),
      providerOptions: isOn(config, 'safeMode') ? { mistral: { safePrompt: true } } : undefined,
    })
    return { model, modelName: name, settings, price: endpoint ? undefined : findPrice('mistral', name) }
  },
}
