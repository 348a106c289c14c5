import { withoutTrailing } from '#contract/data/text.ts'
import { keyCredential } from '#contract/flow/params/builders.ts'
import { needed, number, present, text } from '../inputs/component-config.ts'
import { openCompatible } from './chat-openai-custom.ts'
import { allowImageUploads, chatModel, temperature, topP } from './definition.ts'
import type { ModelProvider } from './types.ts'

const LABEL = 'Ollama'

export const ollamaApi = keyCredential({ label: 'Ollama API', name: 'ollamaApi' }, { name: 'ollamaApiKey' })

export const chatOllama: ModelProvider = {
  definition: chatModel({
    label: LABEL,
    name: 'chatOllama',
    type: 'ChatOllama',
    version: 5,
    description: 'Open models that run on your machine with Ollama',
    credential: ollamaApi,
    credentialOptional: true,
    inputs: [
      { label: 'Base URL', name: 'baseUrl', type: 'string', default: 'http://localhost:11434' },
      { label: 'Model name', name: 'modelName', type: 'string', placeholder: 'llama3.2' },
      temperature,
      allowImageUploads,
      topP,
    ],
  }),
  credential: ollamaApi,

  async open({ config, credential, egress }) {
    const baseUrl = needed(text(config, 'baseUrl'), LABEL, 'Base URL')
    const opened = await openCompatible({
      baseURL: `${withoutTrailing(baseUrl, '/')}/v1`,
      modelName: needed(text(config, 'modelName'), LABEL, 'Model name'),
      apiKey: text(credential, 'ollamaApiKey'),
      request: { config: {}, credential, egress },
    })
    const settings = present({
      temperature: number(config, 'temperature'),
      topP: number(config, 'topP'),
    })
    return { ...opened, settings }
  },
}
