import type { GoogleProvider } from '@ai-sdk/google'
import { additionalParam, keyCredential } from '#contract/flow/params/builders.ts'
import { ConfigError, needed, number, present, text } from '../inputs/component-config.ts'
import { loadOnce } from '../providers/load-once.ts'
import {
  additionalNumber,
  allowAudioUploads,
  allowImageUploads,
  chatModel,
  modelName,
  temperature,
  topK,
  topP,
} from './definition.ts'
import { modelFetch } from './model-fetch.ts'
import { findPrice } from './prices.ts'
import { chosenTools } from './provider-tools.ts'
import type { ModelProvider } from './types.ts'

const loadSdk = loadOnce(() => import('@ai-sdk/google'))
const LABEL = 'Google Gemini'

export const googleGenerativeAI = keyCredential(
  { label: 'Google Generative AI', name: 'googleGenerativeAI', hosts: ['generativelanguage.googleapis.com'] },
  { name: 'googleGenerativeAPIKey' },
)

export const chatGoogleGenerativeAI: ModelProvider = {
  definition: chatModel({
    label: LABEL,
    name: 'chatGoogleGenerativeAI',
    type: 'ChatGoogleGenerativeAI',
    version: 3.1,
    description: 'Gemini models by Google',
    credential: googleGenerativeAI,
    inputs: [
      modelName([
        'gemini-2.5-flash',
        'gemini-2.5-pro',
        'gemini-2.5-flash-lite',
        'gemini-2.0-flash',
        'gemini-3-pro-preview',
      ]),
      additionalParam('Custom model name', 'customModelName', {
        type: 'string',
        description: 'Replaces the model selected above',
      }),
      temperature,
      allowImageUploads,
      allowAudioUploads,
      additionalNumber('Max output tokens', 'maxOutputTokens', { step: 1 }),
      topP,
      topK,
      additionalParam('Base URL', 'baseUrl', { type: 'string' }),
    ],
  }),
  credential: googleGenerativeAI,

  async open({ config, credential, egress }) {
    const { createGoogleGenerativeAI } = await loadSdk()
    const name = needed(text(config, 'customModelName') ?? text(config, 'modelName'), LABEL, 'Model name')
    const provider = createGoogleGenerativeAI({
      apiKey: needed(text(credential, 'googleGenerativeAPIKey'), LABEL, 'the API key in the credential'),
      baseURL: text(config, 'baseUrl'),
      fetch: modelFetch(egress),
    })
    const settings = present({
      temperature: number(config, 'temperature'),
      maxOutputTokens: number(config, 'maxOutputTokens'),
      topP: number(config, 'topP'),
      topK: number(config, 'topK'),
    })
    return {
      model: provider(name),
      modelName: name,
      settings,
      price: findPrice('google', name),
      builtInTools({ names, besideOthers }) {
        if (besideOthers && !takesBothKinds(name))
          throw new ConfigError(
            `${LABEL}: ${name} cannot combine built-in tools with other tools. Remove one kind, or choose a Gemini 3 model.`,
          )
        return { tools: builtInTools(names, provider.tools) }
      },
    }
  },
}

const takesBothKinds = (modelName: string) => !/gemini-(1|2)\b/.test(modelName)

function builtInTools(names: string[], tools: GoogleProvider['tools']) {
  return chosenTools(
    names,
    {
      urlContext: () => ({ called: 'url_context', tool: tools.urlContext({}) }),
      googleSearch: () => ({ called: 'google_search', tool: tools.googleSearch({}) }),
      codeExecution: () => ({ called: 'code_execution', tool: tools.codeExecution({}) }),
    },
    LABEL,
  )
}
