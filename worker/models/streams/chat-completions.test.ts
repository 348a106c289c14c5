// @defends one-text-keeps
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { findRunaway } from '../../local/testing/growth.ts'
import { buildPrompt } from '../messages.ts'
import type { ModelFetch } from '../model-fetch.ts'
import type { ChatModel } from '../types.ts'
import { ChatCompletion } from './chat-completions.ts'
import { readingAnswers } from './read-answers.ts'
import { MAX_CALLS } from './tool-calls.ts'

type Part = LanguageModelV4StreamPart

const chunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1760000000,
  model: 'model-1',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...more }],
})
const finished = (finish_reason = 'stop') => chunk({}, { finish_reason })
const usage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 3 },
}
const counted = { id: 'chatcmpl-1', choices: [], usage }
const call = (index: number | undefined, fields: object, more: object = {}) =>
  chunk({ tool_calls: [{ ...(index !== undefined && { index }), function: fields, ...more }] })

/** What servers send, and what it says. */
const recordings: [server: string, events: object[], said: object][] = [
  [
    'OpenAI',
    [
      chunk({ role: 'assistant', content: '', refusal: null }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo' }),
      finished(),
      counted,
    ],
    { text: 'Hello' },
  ],
  [
    'OpenAI with two tool calls',
    [
      chunk({ role: 'assistant', content: null }),
      call(0, { name: 'add', arguments: '' }, { id: 'call_1', type: 'function' }),
      call(0, { arguments: '{"a":' }),
      call(0, { arguments: '1}' }),
      call(1, { name: 'sub', arguments: '' }, { id: 'call_2', type: 'function' }),
      call(1, { arguments: '{}' }),
      finished('tool_calls'),
      counted,
    ],
    { calls: ['call_1 add {"a":1}', 'call_2 sub {}'], reason: 'tool-calls' },
  ],
  [
    'OpenAI that refuses',
    [chunk({ role: 'assistant', content: null, refusal: '' }), chunk({ refusal: 'I can’t' }), finished(), counted],
    { text: 'I can’t', reason: 'content-filter' },
  ],
  [
    'DeepSeek that thinks',
    [
      chunk({ role: 'assistant', content: null, reasoning_content: '' }),
      chunk({ content: null, reasoning_content: 'Hm' }),
      chunk({ content: 'Hi', reasoning_content: null }),
      chunk({ content: '' }, { finish_reason: 'stop' }),
      counted,
    ],
    { text: 'Hi', reasoning: 'Hm' },
  ],
  [
    'vLLM with gpt-oss',
    [
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning: 'Hm' }),
      chunk({ content: 'Hi' }),
      chunk({ content: '' }, { finish_reason: 'length', stop_reason: null }),
      counted,
    ],
    { text: 'Hi', reasoning: 'Hm', reason: 'length' },
  ],
  [
    'Mistral that thinks',
    [
      chunk({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
      chunk({ content: [{ type: 'text', text: 'Hi' }] }),
      { ...chunk({ content: '' }, { finish_reason: 'stop' }), usage },
    ],
    { text: 'Hi', reasoning: 'Hm' },
  ],
  [
    'Gemini without indices',
    [
      call(
        undefined,
        { name: 'add', arguments: '{"a":1}' },
        { id: 'call_1', extra_content: { google: { thought_signature: 's1' } } },
      ),
      { ...finished('tool_calls'), usage },
    ],
    { calls: ['call_1 add {"a":1} {"openai":{"thoughtSignature":"s1"}}'], reason: 'tool-calls' },
  ],
  [
    'a server that names a tool late',
    [
      call(0, { arguments: '{"a"' }, { id: 'call_1' }),
      call(0, { name: 'add', arguments: ':1' }),
      call(0, { arguments: '}' }),
      finished('tool_calls'),
      counted,
    ],
    { calls: ['call_1 add {"a":1}'], reason: 'tool-calls' },
  ],
  [
    'a server that thinks between texts',
    [chunk({ content: 'a' }), chunk({ reasoning_content: 'b' }), chunk({ content: 'c' }), finished('made_up'), counted],
    { text: 'ac', reasoning: 'b', reason: 'other' },
  ],
]

const frames = (events: (object | string)[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

async function partsOf(model: ChatModel): Promise<Part[]> {
  const { stream } = await model.doStream({ prompt: buildPrompt([{ role: 'user', content: 'Hello?' }]) })
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

const sdkModel = (fetch: ModelFetch) =>
  createOpenAICompatible({
    name: 'openai',
    baseURL: 'https://models.example.com/v1',
    fetch,
    includeUsage: true,
  }).chatModel('m')
const reading = (send: ModelFetch) => readingAnswers(sdkModel, { send, modelId: 'm' })
const sending = (chunks: Uint8Array[]): ModelFetch => {
  const left = [...chunks]
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const chunk = left.shift()
    if (chunk) controller.enqueue(chunk)
    else controller.close()
  }
  return async () => new Response(new ReadableStream({ pull }))
}
const answering = (...texts: string[]) => sending(texts.map((text) => new TextEncoder().encode(text)))

/** What a stream's parts say, however it names its blocks. */
function saidBy(parts: Part[]) {
  const deltas = (type: Part['type']) =>
    parts.flatMap((part) => (part.type === type && 'delta' in part ? [part.delta] : [])).join('')
  const finish = parts.find((part) => part.type === 'finish')
  return {
    order: parts.map(({ type }) => type).filter((type) => type !== 'stream-start' && type !== 'response-metadata'),
    text: deltas('text-delta'),
    reasoning: deltas('reasoning-delta'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call'
        ? [
            [part.toolCallId, part.toolName, part.input, part.providerMetadata && JSON.stringify(part.providerMetadata)]
              .filter(Boolean)
              .join(' '),
          ]
        : [],
    ),
    reason: finish?.finishReason.unified,
    input: finish?.usage.inputTokens,
    output: finish?.usage.outputTokens,
  }
}

describe('an answer of', () => {
  it.each(recordings)('%s is read as the SDK reads it', async (_, events, said) => {
    const text = frames([...events, '[DONE]'])
    const [ours, theirs] = [await partsOf(reading(answering(text))), await partsOf(sdkModel(answering(text)))].map(
      saidBy,
    )
    expect(ours).toEqual(theirs)
    expect(ours).toMatchObject({ text: '', reasoning: '', calls: [], reason: 'stop', ...said })
    expect(ours).toMatchObject({ input: { total: 11, cacheRead: 4 }, output: { total: 7, reasoning: 3 } })
  })

  it.each(recordings)('%s is the same byte by byte', async (_, events) => {
    const text = frames([...events, '[DONE]'])
    expect(await partsOf(reading(answering(...text)))).toEqual(await partsOf(reading(answering(text))))
  })

  it('Groq reads its own usage', async () => {
    const events = [chunk({ content: 'Hi' }), { ...finished(), x_groq: { id: 'req_1', usage } }]
    const said = saidBy(await partsOf(reading(answering(frames(events)))))
    expect(said).toMatchObject({ text: 'Hi', reason: 'stop', input: { total: 11 }, output: { total: 7 } })
  })

  it('letters of several bytes may be cut anywhere', async () => {
    const bytes = new TextEncoder().encode(frames([chunk({ content: 'Zoë 👋' }), finished()]))
    const fetch = sending(Array.from(bytes, (byte) => Uint8Array.of(byte)))
    expect(saidBy(await partsOf(reading(fetch))).text).toBe('Zoë 👋')
  })
})

describe('parts that arrive together', () => {
  it('are handed over together', async () => {
    const words = frames([chunk({ content: 'a' }), chunk({ content: 'b' })])
    const model = reading(answering(words, frames([chunk({ content: 'c' }), finished(), '[DONE]'])))
    const { parts } = await model.doStream({ prompt: buildPrompt([{ role: 'user', content: 'Hello?' }]) })
    const batches = []
    for (let batch = await parts?.read(); batch; batch = await parts?.read())
      batches.push(batch.map(({ type }) => type))
    expect(batches).toEqual([['text-start', 'text-delta', 'text-delta'], ['text-delta'], ['text-end', 'finish']])
  })
})

describe('a stream that fails', () => {
  const failureOf = async (...events: (object | string)[]) => {
    const parts = await partsOf(reading(answering(frames(events))))
    const failed = parts.find((part) => part.type === 'error')
    return { said: saidBy(parts).text, error: failed?.error as Error }
  }

  it.each([
    ['OpenAI is overloaded', { error: { message: 'Try later', type: 'server_error', code: null } }, 'Try later', true],
    [
      'OpenAI limits the rate',
      { error: { message: 'Slow', type: 'tokens', code: 'rate_limit_exceeded' } },
      'Slow',
      true,
    ],
    ['OpenAI is not paid', { error: { message: 'Pay', type: 'insufficient_quota', code: 429 } }, 'Pay', false],
    ['a server gives a status', { error: { message: 'Bad', code: 400 } }, 'Bad', false],
    [
      'vLLM fails',
      { object: 'error', message: 'No memory', type: 'InternalServerError', code: 500 },
      'No memory',
      true,
    ],
    ['Ollama fails', { error: 'model runner stopped' }, 'model runner stopped', true],
    ['a server gives no reason', { error: {} }, 'The model reported an error', true],
  ])('keeps its words and its reason when %s', async (_, event, message, isRetryable) => {
    const { said, error } = await failureOf(chunk({ content: 'Well' }), event, chunk({ content: 'never' }))
    expect(said).toBe('Well')
    expect(APICallError.isInstance(error) && error).toMatchObject({ message, isRetryable })
  })

  it.each([
    ['text', 'not JSON', 'The model sent an event that is not JSON: not JSON'],
    ['a list', '[1]', 'The model sent an event that is not JSON: [1]'],
  ])('says so when an event is %s', async (_, event, message) => {
    expect((await failureOf(chunk({ content: 'Well' }), event)).error.message).toBe(message)
  })

  it('has no end when it is cut off', async () => {
    const parts = await partsOf(reading(answering(frames([chunk({ content: 'Well' })]))))
    expect(parts.map(({ type }) => type)).toEqual(['text-start', 'text-delta', 'text-end'])
    const done = await partsOf(reading(answering(frames([chunk({ content: 'Well' }), '[DONE]']))))
    expect(saidBy(done)).toMatchObject({ text: 'Well', reason: 'other' })
  })

  it('fails with what broke the connection', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('Connection lost')) })
    await expect(partsOf(reading(async () => new Response(broken)))).rejects.toThrow('Connection lost')
  })

  it('ends when it calls endless tools, with or without names', () => {
    for (const fields of [{ name: 'a', arguments: '{' }, { arguments: '{' }]) {
      const answer = new ChatCompletion()
      const many = () => {
        for (let index = 0; index <= MAX_CALLS; index++) answer.take(JSON.stringify(call(index, fields)))
      }
      expect(many).toThrow(`The model called more than ${MAX_CALLS} tools at once`)
    }
  })

  it('takes linear time for a call whose arguments come letter by letter', async () => {
    const work = (text: string) => {
      const answer = new ChatCompletion()
      answer.take(JSON.stringify(call(0, { name: 'a', arguments: '' }, { id: 'call_1' })))
      for (const letter of text) answer.take(JSON.stringify(call(0, { arguments: letter })))
      answer.end()
    }
    const attacks = ['a', '{', '"\\'].map((piece) => ({ start: '{"a":"', piece, end: '' }))
    expect(await findRunaway(work, attacks, 4096)).toBeUndefined()
  })

  it.each([
    {},
    { choices: null },
    { choices: [] },
    { choices: [null] },
    { choices: [{ delta: 'x' }] },
    chunk({ content: 5, tool_calls: [null, 5], reasoning: {} }),
    { choices: [], usage: 'much' },
  ])('passes over %j', (event) => {
    expect(new ChatCompletion().take(JSON.stringify(event))).toEqual([])
  })
})
