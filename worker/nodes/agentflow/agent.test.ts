import { describe, expect, test } from 'vitest'
import type { CallableTool } from '../../tools/types.ts'
import { runStep, scriptedModel, toldTo } from '../testing.ts'
import { agent } from './agent.ts'

function adder(more: Partial<CallableTool> = {}): CallableTool {
  return {
    name: 'add',
    description: 'Adds',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
    hasEffect: false,
    call: async ({ a, b }) => Number(a) + Number(b),
    ...more,
  }
}

const asksToAdd = { calls: [['add', '{"a":1,"b":2}']] as [string, string][], words: ['Let me see'] }

test('uses a tool, tells the model what it gave, and answers', async () => {
  const model = scriptedModel(asksToAdd, ['It is ', '3'])
  const { result, events } = await runStep(agent, {}, { model, tools: [adder()] })
  expect(result.output).toMatchObject({
    content: 'It is 3',
    usedTools: [{ tool: 'add', toolInput: { a: 1, b: 2 }, toolOutput: 3 }],
    availableTools: [{ name: 'add', description: 'Adds' }],
    usageMetadata: { total_tokens: 24 },
  })
  expect(toldTo(model, 1).at(-1)).toContain('"value":"3"')
  expect(events.map(({ event }) => event)).toEqual([
    'token',
    'token',
    'calledTools',
    'usedTools',
    'token',
    'token',
    'usageMetadata',
  ])
  expect(result.chatHistory?.at(-1)).toMatchObject({
    name: 'agent_0',
    additional_kwargs: { usedTools: [{ tool: 'add' }] },
  })
})

test('without tools it is a model like any other', async () => {
  const { result } = await runStep(agent, { agentTools: '' }, { model: scriptedModel(['hi']) })
  expect(result.output).toMatchObject({ content: 'hi' })
  expect(result.output).not.toHaveProperty('usedTools')
})

describe('what the model may not do', () => {
  test.each([
    ['arguments of the wrong type', [['add', '{"a":"1; process.exit()","b":2}']], /do not fit/],
    ['arguments that are missing', [['add', '{"a":1}']], /do not fit/],
    ['arguments that are not declared', [['add', '{"a":1,"b":2,"__proto__x":1}']], /do not fit/],
    ['arguments that are not JSON', [['add', '{"a":']], /must be a JSON object/],
    ['a tool that does not exist', [['format_disk', '{}']], /There is no tool "format_disk". The tools are: add/],
  ])('%s: the tool is not called and the model is told', async (_name, calls, message) => {
    let called = 0
    const tool = adder({ call: async () => ++called })
    const model = scriptedModel({ calls: calls as [string, string][] }, ['sorry'])
    const { result } = await runStep(agent, {}, { model, tools: [tool] })
    expect(called).toBe(0)
    expect(result.output.usedTools?.[0]?.error).toMatch(message)
    expect(toldTo(model, 1).at(-1)).toContain('error-text')
    expect(result.output.content).toBe('sorry')
  })

  test('call tools for ever', async () => {
    const model = scriptedModel(asksToAdd)
    await expect(runStep(agent, {}, { model, tools: [adder()] })).rejects.toThrow('still called tools after 15 turns')
    expect(model.doStreamCalls).toHaveLength(15)
  })
})

test('a tool that fails tells the model and is recorded', async () => {
  const tool = adder({ call: () => Promise.reject(new Error('no electricity')) })
  const { result } = await runStep(agent, {}, { model: scriptedModel(asksToAdd, ['cannot']), tools: [tool] })
  expect(result.output.usedTools).toEqual([
    { tool: 'add', toolInput: { a: 1, b: 2 }, toolOutput: '', error: 'no electricity' },
  ])
})

test('what came before is durable when a tool has an effect outside', async () => {
  const order: string[] = []
  const setting = (hasEffect: boolean) => ({
    model: scriptedModel(asksToAdd, ['done']),
    barrier: async () => void order.push('barrier'),
    tools: [adder({ hasEffect, call: async () => order.push('call') })],
  })
  await runStep(agent, {}, setting(false))
  await runStep(agent, {}, setting(true))
  expect(order).toEqual(['call', 'barrier', 'call'])
})

test('a stop during a tool stops the step; it is no tool error', async () => {
  const stop = new AbortController()
  const tool = adder({
    call: async () => {
      stop.abort()
      throw new Error('torn')
    },
  })
  const step = runStep(agent, {}, { model: scriptedModel(asksToAdd, ['x']), tools: [tool], signal: stop.signal })
  await expect(step).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
})

test('structured output is one more call over the finished work', async () => {
  const model = scriptedModel(asksToAdd, ['It is 3'], ['{"sum":3}'])
  const inputs = { agentStructuredOutput: [{ key: 'sum', type: 'number' }] }
  const { result, events } = await runStep(agent, inputs, { model, tools: [adder()] })
  expect(result.output).toMatchObject({
    sum: 3,
    content: '```json\n{\n  "sum": 3\n}\n```',
    usageMetadata: { total_tokens: 36 },
  })
  expect(toldTo(model, 2)).toContain('assistant: It is 3')
  expect(events.filter(({ event }) => event === 'token')).toHaveLength(1)
})

test.each([
  [
    { agentTools: [{ agentSelectedTool: 'calculator', agentSelectedToolRequiresHumanInput: true }] },
    'Require Human Input (tool "calculator")',
  ],
  [{ agentKnowledgeDocumentStores: [{ documentStore: 'x' }] }, 'Knowledge (Document Stores)'],
  [{ agentKnowledgeVSEmbeddings: [{ vectorStore: 'x' }] }, 'Knowledge (Vector Embeddings)'],
  [{ agentModel: 'chatOpenAI', agentToolsBuiltInOpenAI: '["web_search_preview"]' }, 'OpenAI Built-in Tools'],
])('what is not supported is named, not ignored: %j', async (inputs, field) => {
  const model = scriptedModel(['x'])
  await expect(runStep(agent, inputs, { model })).rejects.toThrow(`${field} is not supported yet`)
  expect(model.doStreamCalls).toEqual([])
})

test('built-in tools of another provider than the chosen one are hidden and do not matter', async () => {
  const inputs = {
    agentModel: 'chatMistralAI',
    agentToolsBuiltInOpenAI: '["web_search_preview"]',
    agentKnowledgeDocumentStores: [],
  }
  expect((await runStep(agent, inputs, { model: scriptedModel(['x']) })).result.output.content).toBe('x')
})
