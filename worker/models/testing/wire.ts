/** Each provider's public wire format: a streamed text, a streamed tool call and an error that says "too fast". */
import { namedSse, sse } from './provider.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1760000000,
  model: 'model-1',
  choices: [{ index: 0, delta, finish_reason }],
})
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
const call = (rest: object) => ({ tool_calls: [{ index: 0, ...rest }] })

const openAI = {
  text: () =>
    sse([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo' }),
      chunk({}, 'stop'),
      { ...chunk({}), choices: [], usage },
    ]),
  toolCall: () =>
    sse([
      chunk({
        role: 'assistant',
        content: null,
        ...call({ id: 'call_1', type: 'function', function: { name: 'add', arguments: '' } }),
      }),
      chunk(call({ function: { arguments: '{"a":1,' } })),
      chunk(call({ function: { arguments: '"b":2}' } })),
      chunk({}, 'tool_calls'),
      { ...chunk({}), choices: [], usage },
    ]),
  error: () => Response.json({ error: { message: 'too fast', type: 'rate_limit_error', code: null } }, { status: 429 }),
}

const anthropicStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'model-1',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 1 },
  },
}
const anthropicEnd = (stop_reason: string) => [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
]

const anthropic = {
  text: () =>
    namedSse([
      anthropicStart,
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
      ...anthropicEnd('end_turn'),
    ]),
  toolCall: () =>
    namedSse([
      anthropicStart,
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":1,' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"b":2}' } },
      ...anthropicEnd('tool_use'),
    ]),
  error: () =>
    Response.json({ type: 'error', error: { type: 'rate_limit_error', message: 'too fast' } }, { status: 429 }),
}

const candidate = (part: object, finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts: [part] }, index: 0, ...(finishReason && { finishReason }) }],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
  modelVersion: 'model-1',
})

const google = {
  text: () => sse([candidate({ text: 'Hel' }), candidate({ text: 'lo' }, 'STOP')], ''),
  toolCall: () => sse([candidate({ functionCall: { name: 'add', args: { a: 1, b: 2 } } }, 'STOP')], ''),
  error: () =>
    Response.json({ error: { code: 429, message: 'too fast', status: 'RESOURCE_EXHAUSTED' } }, { status: 429 }),
}

const mistral = {
  text: () =>
    sse([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Hel' }),
      { ...chunk({ content: 'lo' }, 'stop'), usage },
    ]),
  toolCall: () =>
    sse([
      {
        ...chunk(
          {
            content: '',
            tool_calls: [{ id: 'call_1', index: 0, function: { name: 'add', arguments: '{"a":1,"b":2}' } }],
          },
          'tool_calls',
        ),
        usage,
      },
    ]),
  error: () =>
    Response.json(
      { object: 'error', message: 'too fast', type: 'rate_limited', param: null, code: null },
      { status: 429 },
    ),
}

const groq = {
  text: () =>
    sse([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo' }),
      { ...chunk({}, 'stop'), x_groq: { id: 'req_1', usage } },
    ]),
  toolCall: () =>
    sse([
      chunk({
        role: 'assistant',
        tool_calls: [
          { id: 'call_1', type: 'function', index: 0, function: { name: 'add', arguments: '{"a":1,"b":2}' } },
        ],
      }),
      { ...chunk({}, 'tool_calls'), x_groq: { id: 'req_1', usage } },
    ]),
  error: openAI.error,
}

export const wire = { openAI, anthropic, google, mistral, groq }
export type Wire = (typeof wire)['openAI']
