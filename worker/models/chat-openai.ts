import type { OpenAIProvider } from '@ai-sdk/openai'
import { additionalParam, keyCredential } from '#contract/flow/params/builders.ts'
import { headers, isOn, list, needed, number, present, text } from '../inputs/component-config.ts'
import { loadOnce } from '../providers/load-once.ts'
import { adaptRequests } from './abilities.ts'
import {
  additionalNumber,
  allowAudioUploads,
  allowImageUploads,
  chatModel,
  modelName,
  temperature,
  topP,
} from './definition.ts'
import { modelFetch } from './model-fetch.ts'
import { findPrice } from './prices.ts'
import { chosenTools } from './provider-tools.ts'
import { loadReading } from './streams/load-reading.ts'
import { enforcingStrictSchemas } from './strict-schemas.ts'
import type { ModelProvider } from './types.ts'

const loadSdk = loadOnce(() => import('@ai-sdk/openai'))
const LABEL = 'OpenAI'

export const openAIApi = keyCredential(
  { label: 'OpenAI API', name: 'openAIApi', hosts: ['api.openai.com'] },
  { name: 'openAIApiKey' },
)

export const chatOpenAI: ModelProvider = {
  definition: chatModel({
    label: LABEL,
    name: 'chatOpenAI',
    type: 'ChatOpenAI',
    version: 8.3,
    description: 'GPT models by OpenAI',
    credential: openAIApi,
    inputs: [
      modelName([
        'gpt-4o-mini',
        'gpt-4o',
        'gpt-4.1',
        'gpt-4.1-mini',
        'gpt-4.1-nano',
        'gpt-5',
        'gpt-5-mini',
        'gpt-5-nano',
        'o3',
        'o4-mini',
      ]),
      temperature,
      allowImageUploads,
      allowAudioUploads,
      additionalParam('Reasoning', 'reasoning', {
        type: 'boolean',
        description: 'Let the model think before it answers. Only for reasoning models',
      }),
      additionalParam('Reasoning effort', 'reasoningEffort', {
        type: 'options',
        options: ['low', 'medium', 'high', 'xhigh'].map((name) => ({ label: name, name })),
        show: { reasoning: true },
      }),
      additionalNumber('Max tokens', 'maxTokens', { step: 1 }),
      topP,
      additionalNumber('Frequency penalty', 'frequencyPenalty', { step: 0.1 }),
      additionalNumber('Presence penalty', 'presencePenalty', { step: 0.1 }),
      additionalNumber('Timeout', 'timeout', { step: 1, description: 'In milliseconds' }),
      additionalParam('Stop sequence', 'stopSequence', { type: 'string', rows: 4, description: 'Separated by commas' }),
      additionalParam('Base path', 'basepath', { type: 'string', placeholder: 'https://api.openai.com/v1' }),
      additionalParam('Request headers', 'baseOptions', {
        type: 'json',
        description: 'Sent with each request, as a JSON object',
      }),
    ],
  }),
  credential: openAIApi,

  async open({ config, credential, egress }) {
    const { createOpenAI } = await loadSdk()
    const name = needed(text(config, 'modelName'), LABEL, 'Model name')
    const baseURL = text(config, 'basepath')
    const { readingAnswers } = await loadReading()
    const settings = {
      apiKey: needed(text(credential, 'openAIApiKey'), LABEL, 'the API key in the credential'),
      baseURL,
      headers: headers(config, 'baseOptions'),
    }
    const send = modelFetch(egress, number(config, 'timeout'))
    const model = readingAnswers((reading) => createOpenAI({ ...settings, fetch: reading }).chat(name), {
      send: adaptRequests(send),
      modelId: name,
    })
    return {
      model: enforcingStrictSchemas(model, 'openai'),
      modelName: name,
      settings: openAISettings(config),
      price: baseURL === undefined ? findPrice('openai', name) : undefined,
      // Built-in tools require the Responses API.
      builtInTools({ names }) {
        const provider = createOpenAI({ ...settings, fetch: send })
        return {
          model: enforcingStrictSchemas(provider.responses(name), 'openai'),
          tools: builtInTools(names, provider.tools),
        }
      },
    }
  },
}

function builtInTools(names: string[], tools: OpenAIProvider['tools']) {
  return chosenTools(
    names,
    {
      web_search_preview: () => ({ called: 'web_search_preview', tool: tools.webSearchPreview({}) }),
      code_interpreter: () => ({ called: 'code_interpreter', tool: tools.codeInterpreter({}) }),
      image_generation: () => ({ called: 'image_generation', tool: tools.imageGeneration({}) }),
    },
    LABEL,
  )
}

/** Returns the call settings for OpenAI and compatible providers. */
export function openAISettings(config: Record<string, unknown>): Record<string, unknown> {
  const reasoningEffort = isOn(config, 'reasoning') ? text(config, 'reasoningEffort') : undefined
  return present({
    temperature: number(config, 'temperature'),
    maxOutputTokens: number(config, 'maxTokens'),
    topP: number(config, 'topP'),
    frequencyPenalty: number(config, 'frequencyPenalty'),
    presencePenalty: number(config, 'presencePenalty'),
    stopSequences: list(config, 'stopSequence'),
    providerOptions: reasoningEffort ? { openai: { reasoningEffort } } : undefined,
  })
}
