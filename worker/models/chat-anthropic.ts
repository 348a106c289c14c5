import type { AnthropicProvider } from '@ai-sdk/anthropic'
import { additionalParam, keyCredential } from '#contract/flow/params/builders.ts'
import { isOn, needed, number, present, text } from '../inputs/component-config.ts'
import { loadOnce } from '../providers/load-once.ts'
import { additionalNumber, allowImageUploads, chatModel, modelName, temperature, topK, topP } from './definition.ts'
import { modelFetch } from './model-fetch.ts'
import { findPrice } from './prices.ts'
import { chosenTools } from './provider-tools.ts'
import { loadReading } from './streams/load-reading.ts'
import type { ModelProvider } from './types.ts'

const loadSdk = loadOnce(() => import('@ai-sdk/anthropic'))
const loadEvents = loadOnce(() => import('./streams/anthropic-message.ts'))
const LABEL = 'Anthropic'

const anthropicApi = keyCredential(
  { label: 'Anthropic API', name: 'anthropicApi', hosts: ['api.anthropic.com'] },
  { name: 'anthropicApiKey' },
)

export const chatAnthropic: ModelProvider = {
  definition: chatModel({
    label: LABEL,
    name: 'chatAnthropic',
    type: 'ChatAnthropic',
    version: 8,
    description: 'Claude models by Anthropic',
    credential: anthropicApi,
    inputs: [
      modelName(['claude-haiku-4-5', 'claude-sonnet-4-5', 'claude-opus-4-5', 'claude-opus-4-1', 'claude-sonnet-4-0']),
      temperature,
      allowImageUploads,
      additionalParam('Extended thinking', 'extendedThinking', { type: 'boolean' }),
      additionalNumber('Budget tokens', 'budgetTokens', {
        step: 1,
        default: 1024,
        description: 'Maximum number of tokens for thinking',
        show: { extendedThinking: true },
      }),
      additionalNumber('Max tokens', 'maxTokensToSample', { step: 1 }),
      topP,
      topK,
    ],
  }),
  credential: anthropicApi,

  async open({ config, credential, egress }) {
    const { anthropic, createAnthropic } = await loadSdk()
    const name = needed(text(config, 'modelName'), LABEL, 'Model name')
    const { readingAnswers } = await loadReading()
    const { AnthropicMessage } = await loadEvents()
    const apiKey = needed(text(credential, 'anthropicApiKey'), LABEL, 'the API key in the credential')
    const model = readingAnswers((send) => createAnthropic({ apiKey, fetch: send })(name), {
      send: modelFetch(egress),
      modelId: name,
      events: () => new AnthropicMessage(),
      canRead: ({ tools, responseFormat }) =>
        responseFormat?.type !== 'json' && !tools?.some(({ type }) => type === 'provider'),
    })
    const thinking = isOn(config, 'extendedThinking') && {
      type: 'enabled',
      budgetTokens: number(config, 'budgetTokens') ?? 1024,
    }
    const settings = present({
      // Anthropic rejects a temperature when thinking is enabled.
      temperature: thinking ? undefined : number(config, 'temperature'),
      maxOutputTokens: number(config, 'maxTokensToSample'),
      topP: number(config, 'topP'),
      topK: number(config, 'topK'),
      providerOptions: thinking ? { anthropic: { thinking } } : undefined,
    })
    return {
      model,
      modelName: name,
      settings,
      price: findPrice('anthropic', name),
      builtInTools: ({ names }) => ({ tools: builtInTools(names, anthropic.tools) }),
    }
  },
}

function builtInTools(names: string[], tools: AnthropicProvider['tools']) {
  return chosenTools(
    names,
    {
      web_search_20250305: () => ({ called: 'web_search', tool: tools.webSearch_20250305() }),
      web_fetch_20250910: () => ({ called: 'web_fetch', tool: tools.webFetch_20250910() }),
    },
    LABEL,
  )
}
