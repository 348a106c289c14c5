import { describe, expect, it } from 'vitest'
import type { Egress, OwnAssistant } from '../../../ports/types.ts'
import { ownTools } from '../../../tools/testing/own-tools.ts'
import { drawChat, type Inputs, outputOf, runChat } from '../testing/chat.ts'

const BASE = 'https://models.example.com/v1'
const assistant: OwnAssistant = {
  name: 'Helper',
  id: 'asst_1',
  address: BASE,
  headers: { authorization: 'Bearer k', 'openai-beta': 'assistants=v2' },
  query: '',
}

type Event = [name: string, data: object]
const run = (status: string, more: object = {}): Event => [
  `thread.run.${status}`,
  { id: 'run_1', object: 'thread.run', thread_id: 'thread_1', status, ...more },
]
const delta = (value: string): Event => [
  'thread.message.delta',
  { id: 'msg_1', object: 'thread.message.delta', delta: { content: [{ index: 0, type: 'text', text: { value } }] } },
]
const done = run('completed', { usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } })
const asks = run('requires_action', {
  required_action: {
    type: 'submit_tool_outputs',
    submit_tool_outputs: {
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'calculator', arguments: '{"input":"6*7"}' } }],
    },
  },
})
const stream = (...events: Event[]) =>
  new Response(
    `${events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('')}event: done\ndata: [DONE]\n\n`,
    { headers: { 'content-type': 'text/event-stream' } },
  )

async function talk(answers: Response[], inputs: Inputs = {}) {
  const sent: { call: string; headers: Headers; body: unknown }[] = []
  const egress: Egress = {
    async fetch(input, init) {
      const request = new Request(input, init)
      const text = await request.text()
      sent.push({ call: `${request.method} ${request.url}`, headers: request.headers, body: text && JSON.parse(text) })
      if (request.method === 'DELETE') return Response.json({ id: 'thread_1', deleted: true })
      return answers.shift() ?? Response.json({ error: { message: 'nothing is left' } }, { status: 404 })
    },
  }
  const flow = drawChat(
    { calculator_0: {}, openAIAssistant_0: { inputs: { selectedAssistant: 'row-1', ...inputs } } },
    ['calculator_0 > openAIAssistant_0.tools'],
  )
  const own = { ...ownTools(), assistant: async (id: string) => (id === 'row-1' ? assistant : undefined) }
  const openComponents = () => ({ own, credential: async () => ({}) }) as never
  const pastHistory = [{ role: 'user' as const, content: 'Hi' }]
  const ended = await runChat(flow, { question: '6 times 7?', egress, openComponents, pastHistory })
  return { ended, sent }
}

describe('the OpenAI assistant', () => {
  it('answers in a thread with the conversation, which it deletes', async () => {
    const { ended, sent } = await talk([stream(run('queued'), delta('It is '), delta('42'), done)])
    expect(ended).toMatchObject({ text: 'It is 42', tokens: 'It is 42' })
    expect(sent.map(({ call }) => call)).toEqual([`POST ${BASE}/threads/runs`, `DELETE ${BASE}/threads/thread_1`])
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer k')
    expect(sent[0]?.body).toEqual({
      assistant_id: 'asst_1',
      stream: true,
      thread: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'user', content: '6 times 7?' },
        ],
      },
    })
    expect(outputOf(ended)).toMatchObject({ usageMetadata: { input_tokens: 11, output_tokens: 7 } })
  })

  it('calls the connected tools', async () => {
    const answers = [stream(asks), stream(delta('42'), done)]
    const { ended, sent } = await talk(answers, { toolChoice: 'calculator', parallelToolCalls: false })
    expect(sent[0]?.body).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'calculator' } },
      parallel_tool_calls: false,
    })
    expect(sent[1]).toMatchObject({
      call: `POST ${BASE}/threads/thread_1/runs/run_1/submit_tool_outputs`,
      body: { tool_outputs: [{ tool_call_id: 'call_1', output: '42' }], stream: true },
    })
    expect(outputOf(ended)).toMatchObject({ content: '42', usedTools: [{ tool: 'calculator', toolOutput: '42' }] })
  })

  it.each([
    [
      'the server’s message',
      [Response.json({ error: { message: 'No such assistant' } }, { status: 404 })],
      'No such assistant',
    ],
    [
      'why a run failed',
      [stream(run('failed', { last_error: { code: 'x', message: 'Quota used up' } }))],
      'Quota used up',
    ],
    ['that an answer was cut off', [stream(delta('It'))], 'cut off'],
  ])('says %s', async (_, answers, message) => {
    expect((await talk(answers)).ended.error).toContain(message)
  })

  it('asks for an assistant of this workspace', async () => {
    expect((await talk([], { selectedAssistant: 'row-2' })).ended.error).toContain('choose an assistant')
  })
})
