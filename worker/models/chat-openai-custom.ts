/** Any server with OpenAI-compatible chat completions: Ollama, vLLM, LM Studio, llama.cpp and hosted ones. */
import { withoutTrailing } from '#contract/data/text.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { headers, needed, number, text } from '../inputs/component-config.ts'
import { loadOnce } from '../providers/load-once.ts'
import { type Abilities, adaptRequests } from './abilities.ts'
import { openAIApi, openAISettings } from './chat-openai.ts'
import { additionalNumber, allowAudioUploads, allowImageUploads, chatModel, temperature, topP } from './definition.ts'
import { modelFetch } from './model-fetch.ts'
import { loadReading } from './streams/load-reading.ts'
import type { createWriter } from './streams/write-requests.ts'
import { enforcingStrictSchemas } from './strict-schemas.ts'
import type { ModelProvider, OpenModel, OpenModelRequest } from './types.ts'

const loadSdk = loadOnce(() => import('@ai-sdk/openai-compatible'))
const loadWriting = loadOnce(() => import('./streams/write-requests.ts'))
const LABEL = 'OpenAI compatible'

export const chatOpenAICustom: ModelProvider = {
  definition: chatModel({
    label: 'OpenAI compatible (Ollama, vLLM, LM Studio...)',
    name: 'chatOpenAICustom',
    type: 'ChatOpenAI-Custom',
    version: 4,
    description: 'Any server with an OpenAI-compatible chat API',
    credential: openAIApi,
    credentialOptional: true,
    inputs: [
      { label: 'Model name', name: 'modelName', type: 'string', placeholder: 'llama3.2' },
      { label: 'Base path', name: 'basepath', type: 'string', placeholder: 'http://localhost:11434/v1' },
      temperature,
      allowImageUploads,
      allowAudioUploads,
      additionalNumber('Max tokens', 'maxTokens', { step: 1 }),
      topP,
      additionalNumber('Frequency penalty', 'frequencyPenalty', { step: 0.1 }),
      additionalNumber('Presence penalty', 'presencePenalty', { step: 0.1 }),
      additionalNumber('Timeout', 'timeout', { step: 1, description: 'In milliseconds' }),
      additionalParam('Request headers', 'baseOptions', {
        type: 'json',
        description: 'Sent with each request, as a JSON object',
      }),
    ],
  }),
  credential: openAIApi,

  async open({ config, credential, egress }) {
    return openCompatible({
      baseURL: needed(text(config, 'basepath'), LABEL, 'Base path'),
      modelName: needed(text(config, 'modelName'), LABEL, 'Model name'),
      apiKey: text(credential, 'openAIApiKey'),
      request: { config, credential, egress },
    })
  },
}

interface Compatible {
  baseURL: string
  modelName: string
  apiKey: string | undefined
  /** What differs from OpenAI's own server. */
  abilities?: Partial<Abilities>
  request: OpenModelRequest
}

export async function openCompatible({
  baseURL,
  modelName,
  apiKey,
  abilities,
  request,
}: Compatible): Promise<OpenModel> {
  const [{ createOpenAICompatible }, { readingAnswers }, write] = await Promise.all([
    loadSdk(),
    loadReading(),
    writer(),
  ])
  const { config, egress } = request
  const own = headers(config, 'baseOptions')
  const settings = { ...SETTINGS, baseURL: withoutTrailing(baseURL, '/'), apiKey, headers: own }
  const model = readingAnswers((send) => createOpenAICompatible({ ...settings, fetch: send }).chatModel(modelName), {
    send: adaptRequests(modelFetch(egress, number(config, 'timeout')), abilities),
    modelId: modelName,
    write: async (options, isStreamed) => {
      const headers = { ...(apiKey && { Authorization: `Bearer ${apiKey}` }), ...own, ...options.headers }
      const request = await write(modelName, { ...options, headers }, isStreamed)
      return { url: `${settings.baseURL}/chat/completions`, request }
    },
  })
  return { model: enforcingStrictSchemas(model, 'openai'), modelName, settings: openAISettings(config) }
}

const SETTINGS = { name: 'openai', includeUsage: true, supportsStructuredOutputs: true }

let shared: ReturnType<typeof createWriter> | undefined

/** For every server: the requests to them differ in their model, address and headers only. */
async function writer() {
  const [{ createOpenAICompatible }, { createWriter }] = await Promise.all([loadSdk(), loadWriting()])
  shared ??= createWriter((modelId, send) =>
    createOpenAICompatible({ ...SETTINGS, baseURL: 'https://unused.invalid', fetch: send }).chatModel(modelId),
  )
  return shared
}
