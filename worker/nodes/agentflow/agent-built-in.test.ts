import { describe, expect, test } from 'vitest'
import { visibleParams } from '#contract/flow/params/params.ts'
import { models } from '../../models/index.ts'
import { namedSse, scriptedProvider, sse } from '../../models/testing/provider.ts'
import { ownTools } from '../../tools/testing/own-tools.ts'
import type { CallableTool } from '../../tools/types.ts'
import { noVectors, runStep } from '../testing/steps.ts'
import type { OpenTool } from '../types.ts'
import { agent } from './agent.ts'
import { agentParams, BUILT_IN } from './agent-params.ts'

interface Setting {
  provider: string
  config?: Record<string, unknown>
  inputs: Record<string, unknown>
  answers: Response[]
  tools?: OpenTool[]
}

const credential = { openAIApiKey: 'k', anthropicApiKey: 'k', googleGenerativeAPIKey: 'k' }

async function ask({ provider, config = {}, inputs, answers, tools = [] }: Setting) {
  const { egress, sent } = scriptedProvider(...answers)
  const found = models.find(({ definition }) => definition.name === provider)
  const open = await found?.open({ config: { modelName: 'model-1', ...config }, credential, egress })
  if (!open) throw new Error(`no provider ${provider}`)
  const components = {
    own: ownTools(),
    model: async () => open,
    tools: async () => tools,
    vectorSearch: noVectors,
    credential: async () => ({}),
  }
  return { ...(await runStep(agent, { agentModel: provider, ...inputs }, { components })), sent }
}

const look: CallableTool = {
  name: 'look',
  description: 'Looks',
  parameters: { type: 'object', properties: {} },
  hasEffect: false,
  call: async () => 'seen',
}
const mine: OpenTool[] = [{ ...look, item: 0 }]

/** A stream of OpenAI's Responses API: the items one after another, then the response. */
function openAIResponse(items: Record<string, unknown>[], words: string) {
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] }
  const created = { id: 'resp_1', object: 'response', created_at: 1760000000, model: 'model-1' }
  const events = [
    { type: 'response.created', response: { ...created, status: 'in_progress' } },
    ...items.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index, item: { ...item, status: 'completed' } },
    ]),
    { type: 'response.output_item.added', output_index: items.length, item: { ...message, status: 'in_progress' } },
    {
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: items.length,
      content_index: 0,
      delta: words,
    },
    { type: 'response.output_item.done', output_index: items.length, item: message },
    {
      type: 'response.completed',
      response: {
        ...created,
        status: 'completed',
        incomplete_details: null,
        usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
      },
    },
  ]
  return namedSse(events)
}

describe('built-in tools of OpenAI', () => {
  const inputs = { agentToolsBuiltInOpenAI: '["web_search_preview","code_interpreter"]' }

  test('rename a custom tool that has the same name', async () => {
    const own = [{ ...look, name: 'code_interpreter', item: 0 }]
    const answers = [openAIResponse([], 'Hello')]
    const { result, sent } = await ask({ provider: 'chatOpenAI', inputs, answers, tools: own })
    expect(sent[0]?.body.tools).toMatchObject([
      { type: 'function', name: 'code_interpreter_2' },
      { type: 'web_search_preview' },
      { type: 'code_interpreter' },
    ])
    expect(result.output.availableTools).toMatchObject([{ name: 'code_interpreter_2' }])
  })

  test('run in the Responses API next to custom tools and appear in the trace', async () => {
    const search = { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'weather' } }
    const answers = [openAIResponse([search], 'It is sunny')]
    const { result, sent } = await ask({ provider: 'chatOpenAI', inputs, answers, tools: mine })
    expect(sent[0]?.url).toBe('https://api.openai.com/v1/responses')
    expect(sent[0]?.body.tools).toMatchObject([
      { type: 'function', name: 'look' },
      { type: 'web_search_preview' },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ])
    expect(result.output).toMatchObject({
      content: 'It is sunny',
      usedTools: [{ tool: 'web_search_preview', toolOutput: { action: { type: 'search', query: 'weather' } } }],
      usageMetadata: { input_tokens: 11, output_tokens: 7 },
    })
  })

  test('are not needed for the chat API', async () => {
    const { sent } = await ask({ provider: 'chatOpenAI', inputs: {}, answers: [sse([])] })
    expect(sent[0]?.url).toBe('https://api.openai.com/v1/chat/completions')
  })

  test('return a generated image as an artifact, not as text for later models', async () => {
    const image = { type: 'image_generation_call', id: 'ig_1', result: 'iVBORw0KGgo=' }
    const { result } = await ask({
      provider: 'chatOpenAI',
      inputs: { agentToolsBuiltInOpenAI: ['image_generation'] },
      answers: [openAIResponse([image], 'Here it is')],
    })
    expect(result.output.artifacts).toEqual([{ type: 'png', data: 'data:image/png;base64,iVBORw0KGgo=' }])
    expect(result.output.usedTools).toMatchObject([{ tool: 'image_generation', toolOutput: 'An image' }])
    expect(JSON.stringify(result.chatHistory)).not.toContain('iVBOR')
  })
})

describe('built-in tools of Anthropic', () => {
  const block = (index: number, content_block: Record<string, unknown>) => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_stop', index },
  ]
  const answer = () =>
    namedSse([
      {
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
      },
      ...block(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather' } }),
      ...block(1, {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [
          {
            type: 'web_search_result',
            url: 'https://weather.example/',
            title: 'Weather',
            encrypted_content: 'x',
            page_age: null,
          },
        ],
      }),
      { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Sunny' } },
      { type: 'content_block_stop', index: 2 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ])

  test('search and fetch', async () => {
    const inputs = { agentToolsBuiltInAnthropic: '["web_search_20250305","web_fetch_20250910"]' }
    const { result, sent } = await ask({ provider: 'chatAnthropic', inputs, answers: [answer()], tools: mine })
    expect(sent[0]?.body.tools).toMatchObject([
      { name: 'look' },
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'web_fetch_20250910', name: 'web_fetch' },
    ])
    expect(sent[0]?.headers['anthropic-beta']).toContain('web-fetch-2025-09-10')
    expect(result.output).toMatchObject({
      content: 'Sunny',
      usedTools: [{ tool: 'web_search', toolOutput: [{ url: 'https://weather.example/' }] }],
    })
  })
})

describe('built-in tools of Gemini', () => {
  const answer = () =>
    sse(
      [
        {
          candidates: [
            {
              content: {
                role: 'model',
                parts: [
                  { executableCode: { language: 'PYTHON', code: 'print(6*7)' } },
                  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42' } },
                  { text: 'It is 42' },
                ],
              },
              finishReason: 'STOP',
              index: 0,
            },
          ],
          usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
        },
      ],
      '',
    )
  const inputs = { agentToolsBuiltInGemini: '["urlContext","googleSearch","codeExecution"]' }

  test('run code', async () => {
    const config = { modelName: 'gemini-2.5-flash' }
    const { result, sent } = await ask({ provider: 'chatGoogleGenerativeAI', config, inputs, answers: [answer()] })
    expect(sent[0]?.body.tools).toEqual([{ urlContext: {} }, { googleSearch: {} }, { codeExecution: {} }])
    expect(result.output).toMatchObject({
      content: 'It is 42',
      usedTools: [{ tool: 'code_execution', toolInput: { code: 'print(6*7)' }, toolOutput: { output: '42' } }],
    })
  })

  test('fail before the first call when the model cannot combine them with custom tools', async () => {
    const config = { modelName: 'gemini-2.5-flash' }
    const setting = { provider: 'chatGoogleGenerativeAI', config, inputs, answers: [], tools: mine }
    await expect(ask(setting)).rejects.toThrow('gemini-2.5-flash cannot combine built-in tools with other tools')
  })
})

test('an unknown built-in tool fails the step', async () => {
  const inputs = { agentToolsBuiltInOpenAI: '["toString"]' }
  await expect(ask({ provider: 'chatOpenAI', inputs, answers: [] })).rejects.toThrow(
    'OpenAI has no built-in tool "toString"',
  )
})

test.each([
  ['chatOpenAI', ['agentToolsBuiltInOpenAI']],
  ['chatOpenAICustom', []],
  ['chatAnthropic', ['agentToolsBuiltInAnthropic']],
  ['practiceModel', []],
])('%s is offered the built-in tools of its own provider only', (agentModel, offered) => {
  const names = visibleParams(agentParams, { agentModel }).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith(BUILT_IN))).toEqual(offered)
})
