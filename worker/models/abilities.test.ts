import type { JSONSchema7 } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { models } from './index.ts'
import { buildPrompt, type ModelMessage } from './messages.ts'
import { withSpeaker } from './provider-message.ts'
import { strictServer } from './testing/provider.ts'
import { readParts } from './testing/read-parts.ts'
import type { CallOptions, OpenModel } from './types.ts'

type Body = Record<string, unknown>

const schema: JSONSchema7 = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const structured: Partial<CallOptions> = { responseFormat: { type: 'json', schema } }
const credential = {
  openAIApiKey: 'k',
  deepseekApiKey: 'k',
  perplexityApiKey: 'k',
  groqApiKey: 'k',
  mistralAIAPIKey: 'k',
  azureOpenAIApiKey: 'k',
  azureOpenAIApiInstanceName: 'mine',
  azureOpenAIApiDeploymentName: 'theirs',
}

/** Providers with an SDK each, or with none of their own. */
const PROVIDERS = ['chatOpenAICustom', 'chatOpenAI', 'chatPerplexity', 'groqChat', 'chatMistralAI', 'azureChatOpenAI']

async function openAt(name: string, egress: ReturnType<typeof strictServer>['egress'], config: Body = {}) {
  const provider = models.find(({ definition }) => definition.name === name)
  if (!provider) throw new Error(`no provider ${name}`)
  const own = { modelName: 'model-1', basepath: 'https://models.example.com/v1', ...config }
  return provider.open({ config: own, credential, egress })
}

const said: ModelMessage[] = [
  { role: 'system', content: 'Be brief' },
  withSpeaker('agent_0', { role: 'user', content: 'A draft' }),
  { role: 'user', content: 'Go' },
]
const optionsOf = ({ settings }: OpenModel, more: Partial<CallOptions> = {}): CallOptions => ({
  ...settings,
  prompt: buildPrompt(said),
  ...more,
})

async function answer(opened: OpenModel, more?: Partial<CallOptions>): Promise<string> {
  const { content } = await opened.model.doGenerate(optionsOf(opened, more))
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

async function stream(opened: OpenModel, more?: Partial<CallOptions>): Promise<string> {
  const parts = await readParts((await opened.model.doStream(optionsOf(opened, more))).stream)
  expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
  return parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
}

const refusal = (message: string, more: object = {}, status = 400) =>
  Response.json({ error: { message, type: 'invalid_request_error', ...more } }, { status })
const formatOf = ({ response_format: format }: Body) => (format as { type: string } | undefined)?.type
const messagesOf = ({ messages }: Body) => messages as { role: string; name?: string; content: string }[]

describe('a server that takes less than OpenAI', () => {
  test.each(PROVIDERS)('gets the schema in the prompt if it refuses json_schema: %s', async (name) => {
    const refuse = (body: Body) =>
      formatOf(body) === 'json_schema' ? refusal('This response_format type is unavailable now') : undefined
    for (const ask of [answer, stream]) {
      const { egress, sent } = strictServer(refuse, '{"city":"Rome"}')
      const opened = await openAt(name, egress, name === 'groqChat' ? { modelName: 'openai/gpt-oss-20b' } : {})
      expect(await ask(opened, structured)).toBe('{"city":"Rome"}')
      expect(sent.map(formatOf)).toEqual(['json_schema', 'json_object'])
      const [first, ...others] = messagesOf(sent[1] as Body)
      expect(first?.content).toMatch(/^Be brief\n\n.*JSON Schema:\n\{"type":"object"/s)
      expect(others.map(({ role }) => role)).not.toContain('system')
      expect(await ask(opened, structured)).toBe('{"city":"Rome"}')
      expect(sent.map(formatOf)).toEqual(['json_schema', 'json_object', 'json_object'])
    }
  })

  test('gets the schema in the prompt alone if it refuses every response format', async () => {
    const { egress, sent } = strictServer((body) =>
      body.response_format
        ? Response.json({ detail: [{ type: 'extra_forbidden', loc: ['body', 'response_format'] }] }, { status: 422 })
        : undefined,
    )
    expect(await answer(await openAt('chatOpenAICustom', egress), structured)).toBe('ok')
    expect(sent.map(formatOf)).toEqual(['json_schema', 'json_object', undefined])
    expect(messagesOf(sent[2] as Body)[0]?.content).toContain('"city"')
  })

  test('is not asked for what its provider is known not to take', async () => {
    const { egress, sent } = strictServer(() => undefined)
    await answer(await openAt('chatDeepseek', egress), structured)
    expect(sent.map(formatOf)).toEqual(['json_object'])
  })

  test.each(['chatOpenAICustom', 'chatOpenAI'])('gets no names if it refuses them: %s', async (name) => {
    const { egress, sent } = strictServer((body) =>
      messagesOf(body).some((message) => message.name)
        ? refusal("'messages.1' : for 'role:user' the following must be satisfied: property 'name' is unsupported")
        : undefined,
    )
    expect(await stream(await openAt(name, egress))).toBe('ok')
    expect(sent).toHaveLength(2)
    expect(messagesOf(sent[1] as Body).map(({ content }) => content)).toEqual(['Be brief', 'A draft', 'Go'])
  })

  test.each(['chatOpenAICustom', 'chatOpenAI'])(
    'streams without usage if it refuses stream_options: %s',
    async (name) => {
      const { egress, sent } = strictServer((body) =>
        body.stream_options
          ? Response.json({ detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] }, { status: 422 })
          : undefined,
      )
      expect(await stream(await openAt(name, egress))).toBe('ok')
      expect(sent.map((body) => [body.stream, 'stream_options' in body])).toEqual([
        [true, true],
        [true, false],
      ])
    },
  )

  test.each(['chatOpenAICustom', 'chatOpenAI'])('answers at once if it refuses to stream: %s', async (name) => {
    const { egress, sent } = strictServer((body) =>
      body.stream
        ? refusal('Your organization must be verified to stream this model.', { param: 'stream' })
        : undefined,
    )
    const opened = await openAt(name, egress)
    expect(await stream(opened)).toBe('ok')
    expect(await stream(opened)).toBe('ok')
    expect(sent.map((body) => body.stream ?? false)).toEqual([true, false, false])
    expect(sent[1]).not.toHaveProperty('stream_options')
  })

  test('gets neither temperature nor max_tokens if its model reasons', async () => {
    const unsupported = { code: 'unsupported_parameter' }
    const { egress, sent } = strictServer((body) => {
      if (body.max_tokens) return refusal('Use max_completion_tokens instead', { ...unsupported, param: 'max_tokens' })
      if (body.temperature) return refusal('Only the default', { code: 'unsupported_value', param: 'temperature' })
    })
    const opened = await openAt('chatOpenAICustom', egress, { temperature: 0.9, topP: 0.5, maxTokens: 500 })
    expect(await answer(opened)).toBe('ok')
    expect(sent.at(-1)).toEqual({ model: 'model-1', messages: sent[0]?.messages, max_completion_tokens: 500 })
  })

  test('is asked once if it refuses something else', async () => {
    const { egress, sent } = strictServer(() =>
      refusal('temperature must be between 0 and 2', { param: 'temperature' }),
    )
    await expect(answer(await openAt('chatOpenAICustom', egress, { temperature: 3 }))).rejects.toThrow(
      'between 0 and 2',
    )
    expect(sent).toHaveLength(1)
  })

  test('is not asked again if it refuses for another reason than the request', async () => {
    const { egress, sent } = strictServer(() => refusal('response_format: too many requests', {}, 429))
    await expect(answer(await openAt('chatOpenAICustom', egress), structured)).rejects.toThrow('too many requests')
    expect(sent).toHaveLength(1)
  })
})
