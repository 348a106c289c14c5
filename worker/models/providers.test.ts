import { APICallError } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { givenHosts, isAllowedHost } from '#contract/credentials/hosts.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { mediaSupportOf } from '#contract/predictions/uploads.ts'
import { createEgress } from '../ports/egress.ts'
import { models } from './index.ts'
import { buildPrompt, type ModelMessage } from './messages.ts'
import { withSpeaker } from './provider-message.ts'
import { scriptedProvider } from './testing/provider.ts'
import { readParts } from './testing/read-parts.ts'
import { type Wire, wire } from './testing/wire.ts'
import type { ModelTool, OpenModel } from './types.ts'

interface Case {
  name: string
  wire: Wire
  config: Record<string, unknown>
  credential: Record<string, unknown>
  url: string
  secret: [header: string, value: string]
  price?: [input: number, output: number]
}

/** A provider whose servers speak OpenAI's protocol. */
const hosted = (name: string, key: string, address: string): Case => ({
  name,
  wire: wire.openAI,
  config: { modelName: 'model-1', temperature: 0.5, maxTokens: '50' },
  credential: { [key]: 'sk-1' },
  url: `${address}/chat/completions`,
  secret: ['authorization', 'Bearer sk-1'],
})

const cases: Case[] = [
  {
    name: 'chatOpenAI',
    wire: wire.openAI,
    config: { modelName: 'gpt-4o-mini', temperature: '0.5', maxTokens: 50, topP: '', frequencyPenalty: 0.1 },
    credential: { openAIApiKey: 'sk-1' },
    url: 'https://api.openai.com/v1/chat/completions',
    secret: ['authorization', 'Bearer sk-1'],
    price: [0.15, 0.6],
  },
  {
    name: 'chatOpenAICustom',
    wire: wire.openAI,
    config: { modelName: 'llama3.2', basepath: 'https://models.example.com/v1/', temperature: 0.5, maxTokens: '50' },
    credential: { openAIApiKey: 'sk-1' },
    url: 'https://models.example.com/v1/chat/completions',
    secret: ['authorization', 'Bearer sk-1'],
  },
  {
    name: 'chatOllama',
    wire: wire.openAI,
    config: { modelName: 'llama3.2', baseUrl: 'http://localhost:11434', temperature: 0.5 },
    credential: { ollamaApiKey: 'sk-1' },
    url: 'http://localhost:11434/v1/chat/completions',
    secret: ['authorization', 'Bearer sk-1'],
  },
  {
    name: 'chatAnthropic',
    wire: wire.anthropic,
    config: { modelName: 'claude-sonnet-4-5-20250929', temperature: 0.5, maxTokensToSample: 50 },
    credential: { anthropicApiKey: 'sk-1' },
    url: 'https://api.anthropic.com/v1/messages',
    secret: ['x-api-key', 'sk-1'],
    price: [3, 15],
  },
  {
    name: 'chatGoogleGenerativeAI',
    wire: wire.google,
    config: {
      modelName: 'gemini-2.0-flash',
      customModelName: 'gemini-2.5-flash',
      temperature: 0.5,
      maxOutputTokens: 50,
    },
    credential: { googleGenerativeAPIKey: 'sk-1' },
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    secret: ['x-goog-api-key', 'sk-1'],
    price: [0.3, 2.5],
  },
  {
    name: 'chatMistralAI',
    wire: wire.mistral,
    config: { modelName: 'mistral-small-latest', temperature: 0.5, maxOutputTokens: 50, safeMode: true, randomSeed: 3 },
    credential: { mistralAIAPIKey: 'sk-1' },
    url: 'https://api.mistral.ai/v1/chat/completions',
    secret: ['authorization', 'Bearer sk-1'],
    price: [0.1, 0.3],
  },
  {
    name: 'groqChat',
    wire: wire.groq,
    config: { modelName: 'llama-3.1-8b-instant', temperature: 0.5, maxTokens: 50 },
    credential: { groqApiKey: 'sk-1' },
    url: 'https://api.groq.com/openai/v1/chat/completions',
    secret: ['authorization', 'Bearer sk-1'],
    price: [0.05, 0.08],
  },
  hosted('chatCohere', 'cohereApiKey', 'https://api.cohere.ai/compatibility/v1'),
  hosted('chatDeepseek', 'deepseekApiKey', 'https://api.deepseek.com/v1'),
  hosted('chatXAI', 'xaiApiKey', 'https://api.x.ai/v1'),
  hosted('chatOpenRouter', 'openRouterApiKey', 'https://openrouter.ai/api/v1'),
  hosted('chatTogetherAI', 'togetherAIApiKey', 'https://api.together.xyz/v1'),
  hosted('chatFireworks', 'fireworksApiKey', 'https://api.fireworks.ai/inference/v1'),
  hosted('chatCerebras', 'cerebrasApiKey', 'https://api.cerebras.ai/v1'),
  hosted('chatPerplexity', 'perplexityApiKey', 'https://api.perplexity.ai'),
  hosted('chatHuggingFace', 'huggingFaceApiKey', 'https://router.huggingface.co/v1'),
  {
    ...hosted('chatCloudflareWorkersAI', 'cloudflareWorkersAIKey', ''),
    credential: { cloudflareWorkersAccountID: 'a/1', cloudflareWorkersAIKey: 'sk-1' },
    url: 'https://api.cloudflare.com/client/v4/accounts/a%2F1/ai/v1/chat/completions',
  },
  {
    ...hosted('azureChatOpenAI', '', ''),
    config: { modelName: 'gpt-4o-mini', temperature: 0.5, maxTokens: '50' },
    credential: {
      azureOpenAIApiKey: 'sk-1',
      azureOpenAIApiInstanceName: 'mine',
      azureOpenAIApiDeploymentName: 'my gpt',
      azureOpenAIApiVersion: '2024-10-21',
    },
    url: 'https://mine.openai.azure.com/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21',
    secret: ['api-key', 'sk-1'],
    price: [0.15, 0.6],
  },
]

const providerOf = (name: string) => {
  const provider = models.find(({ definition }) => definition.name === name)
  if (!provider) throw new Error(`no provider ${name}`)
  return provider
}

it.each(cases.filter(({ config }) => !config.basepath && !config.baseUrl))(
  '$name sends its secret to a host of its credential',
  ({ name, credential, url }) => {
    const type = providerOf(name).credential as CredentialDefinition
    expect(isAllowedHost(givenHosts(type, credential), new URL(url))).toBe(true)
  },
)

const add: ModelTool = {
  type: 'function',
  name: 'add',
  description: 'Adds',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
}

async function streamed({ model, settings }: OpenModel, messages: ModelMessage[], tools?: ModelTool[]) {
  const { stream } = await model.doStream({ ...settings, prompt: buildPrompt(messages), tools })
  return readParts(stream)
}

const hello: ModelMessage[] = [{ role: 'user', content: 'Say hello' }]

async function ask({ name, config, credential }: Case, answer: Response) {
  const { egress, sent } = scriptedProvider(answer)
  const opened = await providerOf(name).open({ config, credential, egress })
  return { opened, sent, parts: await streamed(opened, hello, [add]) }
}

describe.each(cases)('the provider $name', (test) => {
  it('streams text with usage, using its own URL and API key', async () => {
    const { opened, sent, parts } = await ask(test, test.wire.text())
    expect(parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])).join('')).toBe('Hello')
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      usage: { inputTokens: { total: 11 }, outputTokens: { total: 7 } },
    })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.url).toBe(test.url)
    expect(sent[0]?.headers[test.secret[0]]).toBe(test.secret[1])
    expect(JSON.stringify(sent[0]?.body)).toContain('"temperature":0.5')
    expect(opened.price).toEqual(test.price && { input: test.price[0], output: test.price[1] })
  })

  it('calls tools', async () => {
    const { parts } = await ask(test, test.wire.toolCall())
    const calls = parts.filter(({ type }) => type === 'tool-call')
    expect(calls).toMatchObject([{ toolName: 'add', input: expect.stringMatching(/^{"a":1,"b":2}$/) }])
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } })
  })

  it('sends the names of speaking nodes if its API supports names', async () => {
    const { egress, sent } = scriptedProvider(test.wire.text())
    const opened = await providerOf(test.name).open({ ...test, egress })
    const messages = [
      withSpeaker('agent_0', { role: 'user', content: 'A draft' }),
      withSpeaker('no <1> | "é"', { role: 'assistant', content: 'A review' }),
      withSpeaker(undefined, { role: 'user', content: 'Go' }),
    ]
    await streamed(opened, messages)
    if (test.wire !== wire.openAI) expect(JSON.stringify(sent[0]?.body)).not.toContain('agent_0')
    else
      expect(sent[0]?.body.messages).toEqual([
        { role: 'user', name: 'agent_0', content: 'A draft' },
        { role: 'assistant', name: 'no__1____"é"', content: 'A review' },
        { role: 'user', content: 'Go' },
      ])
  })

  it('preserves the provider’s error message and whether it is retryable', async () => {
    const error = await ask(test, test.wire.error()).catch((reason: unknown) => reason)
    expect(APICallError.isInstance(error) && error).toMatchObject({
      message: 'too fast',
      statusCode: 429,
      isRetryable: true,
    })
  })

  it('names the missing field', async () => {
    const { egress } = scriptedProvider()
    const { definition, open } = providerOf(test.name)
    await expect(
      open({ config: { ...test.config, modelName: '', customModelName: '' }, credential: test.credential, egress }),
    ).rejects.toThrow(`${definition.label.replace(/ \(.*/, '')}: Model name is empty`)
    if (definition.credential?.optional) return
    await expect(open({ config: test.config, credential: {}, egress })).rejects.toThrow(
      /the API key in the credential is empty/,
    )
  })

  it('declares every input that it reads', () => {
    const { definition, credential } = providerOf(test.name)
    const names = definition.inputs.map(({ name }) => name)
    expect(Object.keys(test.config).filter((name) => !names.includes(name))).toEqual([])
    expect(Object.keys(test.credential)).toEqual(credential?.inputs.map(({ name }) => name))
    expect(definition.credential?.credentialNames).toEqual([credential?.name])
  })
})

describe('an audio recording', () => {
  const data = Buffer.from('RIFF____WAVEfmt ').toString('base64')
  const taken: Record<string, (mediaType: string) => object> = {
    chatOpenAI: (mediaType) => ({
      type: 'input_audio',
      input_audio: { data, format: mediaType === 'audio/wav' ? 'wav' : 'mp3' },
    }),
    chatGoogleGenerativeAI: (mimeType) => ({ inlineData: { mimeType, data } }),
  }
  taken.chatOpenAICustom = taken.chatOpenAI as (mediaType: string) => object

  it.each(cases)('is sent to $name in its wire format, for each accepted media type', async (test) => {
    const { definition, open } = providerOf(test.name)
    const inputs = { llmModel: test.name, llmModelConfig: { allowAudioUploads: true } }
    const { hears } = mediaSupportOf(inputs, 'llmModel')
    const isOffered = definition.inputs.some(({ name }) => name === 'allowAudioUploads')
    expect(hears.length > 0).toBe(isOffered)
    expect(isOffered).toBe(taken[test.name] !== undefined)
    for (const mediaType of hears) {
      const { egress, sent } = scriptedProvider(test.wire.text())
      const content = [{ type: 'file' as const, data: Buffer.from(data, 'base64'), mediaType }]
      await streamed(await open({ ...test, egress }), [{ role: 'user', content }])
      expect(JSON.stringify(sent[0]?.body)).toContain(JSON.stringify(taken[test.name]?.(mediaType)))
    }
  })
})

describe('all providers', () => {
  it('have unique names', () => {
    const names = models.map(({ definition }) => definition.name)
    expect(names).toEqual([...new Set(names)])
    expect(names[0]).toBe('practiceModel')
  })

  it('explain how to allow Ollama on the same machine', async () => {
    const egress = createEgress({ allowPrivateHosts: [], network: async () => new Response() })
    const opened = await providerOf('chatOllama').open({
      config: { modelName: 'm', baseUrl: 'http://localhost:11434' },
      credential: {},
      egress,
    })
    await expect(streamed(opened, hello)).rejects.toThrow('start Heddle with ALLOW_PRIVATE_HOSTS=localhost:11434')
  })

  it('report an unreachable provider as retryable', async () => {
    const egress = createEgress({
      allowPrivateHosts: [],
      network: async () => {
        throw new Error('down')
      },
    })
    const opened = await providerOf('groqChat').open({
      config: { modelName: 'm' },
      credential: { groqApiKey: 'k' },
      egress,
    })
    const error = await streamed(opened, hello).catch((reason: unknown) => reason)
    expect(APICallError.isInstance(error) && error.isRetryable).toBe(true)
    expect(String(error)).toContain('api.groq.com could not be reached')
  })

  it('name a field that is not a number', async () => {
    const { egress } = scriptedProvider()
    const config = { modelName: 'm', temperature: 'warm' }
    await expect(providerOf('groqChat').open({ config, credential: { groqApiKey: 'k' }, egress })).rejects.toThrow(
      '"temperature" must be a number, not "warm"',
    )
  })

  it('send extra headers and thinking settings', async () => {
    const openAI = cases[0] as Case
    const { sent } = await ask(
      { ...openAI, config: { ...openAI.config, baseOptions: '{"x-team": "a"}' } },
      openAI.wire.text(),
    )
    expect(sent[0]?.headers['x-team']).toBe('a')

    const anthropic = cases.find(({ name }) => name === 'chatAnthropic') as Case
    const thinking = { ...anthropic.config, extendedThinking: true, budgetTokens: 2000 }
    const asked = await ask({ ...anthropic, config: thinking }, anthropic.wire.text())
    expect(asked.sent[0]?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2000 } })
    expect(asked.sent[0]?.body).not.toHaveProperty('temperature')
  })
})
