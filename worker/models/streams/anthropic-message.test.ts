import { createAnthropic } from '@ai-sdk/anthropic'
import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { buildPrompt } from '../messages.ts'
import type { ModelFetch } from '../model-fetch.ts'
import type { ChatModel } from '../types.ts'
import { AnthropicMessage } from './anthropic-message.ts'
import { readingAnswers } from './read-answers.ts'
import { MAX_CALLS } from './tool-calls.ts'

type Part = LanguageModelV4StreamPart

const started = (usage: object = {}) => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 11, cache_read_input_tokens: 4, cache_creation_input_tokens: 2, output_tokens: 1, ...usage },
  },
})
const begun = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta })
const text = (index: number, text: string) => delta(index, { type: 'text_delta', text })
const json = (index: number, partial_json: string) => delta(index, { type: 'input_json_delta', partial_json })
const stopped = (index: number) => ({ type: 'content_block_stop', index })
const ended = (stop_reason: string, usage: object = {}) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7, ...usage } },
  { type: 'message_stop' },
]
const tool = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'add', input })
const said = [begun(0, { type: 'text', text: '' }), text(0, 'Hel'), { type: 'ping' }, text(0, 'lo'), stopped(0)]

/** What the API sends. */
const recordings: [what: string, events: object[], reason: string][] = [
  ['a text', [started(), ...said, ...ended('end_turn')], 'stop'],
  ['a text that was too long', [started(), ...said, ...ended('max_tokens')], 'length'],
  ['a text up to a stop sequence', [started(), ...said, ...ended('stop_sequence')], 'stop'],
  ['a refusal', [started(), ...said, ...ended('refusal')], 'content-filter'],
  ['a reason that nobody knows', [started(), ...said, ...ended('made_up')], 'other'],
  [
    'thoughts before a text',
    [
      started(),
      begun(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'H' }),
      delta(0, { type: 'thinking_delta', thinking: 'm' }),
      delta(0, { type: 'signature_delta', signature: 'c2ln' }),
      stopped(0),
      begun(1, { type: 'text', text: '' }),
      text(1, 'Hi 👋'),
      stopped(1),
      ...ended('end_turn', { output_tokens_details: { thinking_tokens: 3 } }),
    ],
    'stop',
  ],
  [
    'hidden thoughts',
    [started(), begun(0, { type: 'redacted_thinking', data: 'ZGF0YQ==' }), stopped(0), ...ended('end_turn')],
    'stop',
  ],
  [
    'a text and two tool calls',
    [
      started(),
      ...said,
      begun(1, tool('toolu_1')),
      json(1, ''),
      json(1, '{"a":'),
      json(1, '1}'),
      stopped(1),
      begun(2, tool('toolu_2')),
      stopped(2),
      ...ended('tool_use', { input_tokens: 12 }),
    ],
    'tool-calls',
  ],
  [
    'a tool call that comes at once',
    [started(), begun(0, tool('toolu_1', { a: 1 })), stopped(0), ...ended('tool_use')],
    'tool-calls',
  ],
]

const framed = (events: object[]) =>
  events.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

const sdkModel = (fetch: ModelFetch) => createAnthropic({ apiKey: 'sk', fetch })('claude-sonnet-4-5')
const reading = (send: ModelFetch) =>
  readingAnswers(sdkModel, { send, modelId: 'm', events: () => new AnthropicMessage() })

/** Answers in pieces. */
function sending(pieces: Uint8Array[]): ModelFetch {
  const left = [...pieces]
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const piece = left.shift()
    if (piece) controller.enqueue(piece)
    else controller.close()
  }
  return async () => new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/event-stream' } })
}
const bytesOf = (events: object[]) => new TextEncoder().encode(framed(events))

async function partsOf(model: ChatModel): Promise<Part[]> {
  const { stream } = await model.doStream({ prompt: buildPrompt([{ role: 'user', content: 'Hello?' }]) })
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

/** What matters to a run: the SDK also repeats what the events said. */
function essence(parts: Part[]) {
  const about = new Set<Part['type']>(['stream-start', 'response-metadata', 'custom'])
  return parts
    .filter(({ type }) => !about.has(type))
    .map((part) => {
      if (part.type !== 'finish') return JSON.parse(JSON.stringify(part)) as Part
      const { finishReason, usage } = part
      return { type: part.type, finishReason, usage: { ...usage, raw: undefined } }
    })
}

describe('an answer of Anthropic', () => {
  it.each(recordings)('with %s is read as the SDK reads it', async (_, events, reason) => {
    const ours = essence(await partsOf(reading(sending([bytesOf(events)]))))
    expect(ours).toEqual(essence(await partsOf(sdkModel(sending([bytesOf(events)])))))
    expect(ours.at(-1)).toMatchObject({ finishReason: { unified: reason }, usage: { outputTokens: { total: 7 } } })
  })

  it.each(recordings)('with %s is the same byte by byte', async (_, events) => {
    const bytes = bytesOf(events)
    const cut = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await partsOf(reading(sending(cut)))).toEqual(await partsOf(reading(sending([bytes]))))
  })

  it('has no end when it is cut off', async () => {
    const parts = await partsOf(reading(sending([bytesOf([started(), ...said.slice(0, 2)])])))
    expect(parts.map(({ type }) => type)).toEqual(['text-start', 'text-delta'])
  })

  it.each([
    ['overloaded_error', 529, true],
    ['rate_limit_error', 429, true],
    ['api_error', 500, true],
    ['request_too_large', 413, false],
    ['authentication_error', 401, false],
    ['billing_error', 400, false],
  ])('that fails with %s says whether another call may help', async (type, statusCode, isRetryable) => {
    const failure = { type: 'error', error: { type, message: 'Not now' } }
    const parts = await partsOf(
      reading(sending([bytesOf([started(), ...said.slice(0, 2), failure, text(0, 'never')])])),
    )
    const last = parts.at(-1)
    const error = last?.type === 'error' ? last.error : undefined
    expect(APICallError.isInstance(error) && error).toMatchObject({ message: 'Not now', statusCode, isRetryable })
    const theirs = await partsOf(sdkModel(sending([bytesOf([failure])]))).catch((error) => error)
    expect(theirs).toMatchObject({ message: 'Not now', statusCode, isRetryable })
  })

  it('ends when it calls endless tools', () => {
    const message = new AnthropicMessage()
    const many = () => {
      for (let index = 0; index <= MAX_CALLS; index++) message.take(JSON.stringify(begun(index, tool(`t${index}`))))
    }
    expect(many).toThrow(`The model called more than ${MAX_CALLS} tools at once`)
  })

  it.each([
    {},
    { type: 'message_start' },
    { type: 'made_up' },
    { type: 'message_delta', delta: null, usage: 'much' },
    begun(0, { type: 'made_up' }),
    begun(0, { type: 'tool_use' }),
    text(5, 'of no block'),
    delta(0, { type: 'text_delta', text: 5 }),
    stopped(9),
  ])('passes over %j', (event) => {
    expect(new AnthropicMessage().take(JSON.stringify(event))).toEqual([])
  })

  it('says so when an event is not JSON', () => {
    expect(() => new AnthropicMessage().take('nonsense')).toThrow('The model sent an event that is not JSON: nonsense')
  })
})
