import { keyCredential } from '#contract/flow/params/builders.ts'
import { needed, number, present, text } from '../inputs/component-config.ts'
import { loadOnce } from '../providers/load-once.ts'
import { type Abilities, adaptRequests } from './abilities.ts'
import { additionalNumber, allowImageUploads, chatModel, modelName, temperature } from './definition.ts'
import { modelFetch } from './model-fetch.ts'
import { findPrice } from './prices.ts'
import { loadReading } from './streams/load-reading.ts'
import { enforcingStrictSchemas } from './strict-schemas.ts'
import type { ModelProvider } from './types.ts'

const loadSdk = loadOnce(() => import('@ai-sdk/groq'))
const LABEL = 'Groq'

const groqApi = keyCredential({ label: 'Groq API', name: 'groqApi', hosts: ['api.groq.com'] }, { name: 'groqApiKey' })

export const groqChat: ModelProvider = {
  definition: chatModel({
    label: LABEL,
    name: 'groqChat',
    type: 'GroqChat',
    version: 4,
    description: 'Open models on Groq’s fast inference hardware',
    credential: groqApi,
    inputs: [
      modelName([
        'llama-3.3-70b-versatile',
        'llama-3.1-8b-instant',
        'openai/gpt-oss-120b',
        'openai/gpt-oss-20b',
        'qwen/qwen3-32b',
      ]),
      temperature,
      allowImageUploads,
      additionalNumber('Max tokens', 'maxTokens', { step: 1 }),
    ],
  }),
  credential: groqApi,

  async open({ config, credential, egress }) {
    const { createGroq } = await loadSdk()
    const name = needed(text(config, 'modelName'), LABEL, 'Model name')
    const { readingAnswers } = await loadReading()
    const apiKey = needed(text(credential, 'groqApiKey'), LABEL, 'the API key in the credential')
    const opened = readingAnswers((send) => createGroq({ apiKey, fetch: send })(name), {
      send: adaptRequests(modelFetch(egress), abilitiesOf(name)),
      modelId: name,
    })
    const settings = present({
      temperature: number(config, 'temperature'),
      maxOutputTokens: number(config, 'maxTokens'),
    })
    return { model: enforcingStrictSchemas(opened, 'groq'), modelName: name, settings, price: findPrice('groq', name) }
  },
}

/** Most models support JSON output, but not JSON Schema. */
const abilitiesOf = (modelName: string): Partial<Abilities> =>
  modelName.startsWith('openai/gpt-oss') ? {} : { structuredOutput: 'object' }
