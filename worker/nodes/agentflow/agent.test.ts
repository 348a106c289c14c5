import { describe, expect, test } from 'vitest'
import type { CallableTool } from '../../tools/types.ts'
import { noKnowledge, runStep, scriptedModel, toldTo } from '../testing/steps.ts'
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

test('an agent runs a tool, passes its result to the model and answers', async () => {
  const model = scriptedModel(asksToAdd, ['It is ', '3'])
  const { result, events } = await runStep(agent, {}, { model, tools: [adder()] })
  expect(result.output).toMatchObject({
    content: 'It is 3',
    usedTools: [{ tool: 'add', toolInput: { a: 1, b: 2 }, toolOutput: 3 }],
    availableTools: [{ name: 'add', description: 'Adds' }],
    usageMetadata: { total_tokens: 24 },
  })
  const called = [{ id: 'call-0', name: 'add', args: { a: 1, b: 2 }, type: 'tool_call' }]
  expect(toldTo(model, 1).at(-1)).toContain('"value":"3"')
  expect(events.map(({ event }) => event)).toEqual([
    'token',
    'calledTools',
    'usedTools',
    'token',
    'token',
    'token',
    'calledTools',
    'usageMetadata',
  ])
  expect(events.filter(({ event }) => event === 'calledTools').map(({ data }) => data)).toEqual([called, []])
  expect(result.output.calledTools).toEqual(called)
  expect(result.chatHistory?.at(-1)).toMatchObject({
    name: 'agent_0',
    additional_kwargs: { usedTools: [{ tool: 'add' }] },
  })
})

test('an agent lists reading tools first, writing tools second and others last', async () => {
  const tools = ['calculator', 'requests_post', 'requests_get'].map((name) => adder({ name }))
  const { result } = await runStep(agent, {}, { model: scriptedModel(['x']), tools })
  expect(result.output.availableTools).toMatchObject(
    ['requests_get', 'requests_post', 'calculator'].map((name) => ({ name })),
  )
})

test('an agent without tools calls the model once', async () => {
  const { result } = await runStep(agent, { agentTools: '' }, { model: scriptedModel(['hi']) })
  expect(result.output).toMatchObject({ content: 'hi' })
  expect(result.output).not.toHaveProperty('usedTools')
  expect(result.output.calledTools).toEqual([])
})

test('the trace hides secrets in tool settings', async () => {
  const agentSelectedToolConfig = {
    mcpServerConfig: '{"headers":{"Authorization":"Bearer s3cret"}}',
    mcpActions: ['x'],
  }
  const inputs = { agentTools: [{ agentSelectedTool: 'customMCP', agentSelectedToolConfig }] }
  const { result } = await runStep(agent, inputs, { model: scriptedModel(['hi']) })
  expect(JSON.stringify(result)).not.toContain('s3cret')
  expect(JSON.stringify(result.input)).toContain('mcpActions')
})

describe('limits of the model', () => {
  test.each([
    ['arguments of the wrong type', [['add', '{"a":"1; process.exit()","b":2}']], /are invalid/],
    ['arguments that are missing', [['add', '{"a":1}']], /are invalid/],
    ['arguments that are not declared', [['add', '{"a":1,"b":2,"__proto__x":1}']], /are invalid/],
    ['arguments that are not JSON', [['add', '{"a":']], /must be a JSON object/],
    ['a tool that does not exist', [['format_disk', '{}']], /Tool "format_disk" does not exist. Available tools: add/],
  ])('%s: the tool is not called and the model gets an error', async (_name, calls, message) => {
    let called = 0
    const tool = adder({ call: async () => ++called })
    const model = scriptedModel({ calls: calls as [string, string][] }, ['sorry'])
    const { result } = await runStep(agent, {}, { model, tools: [tool] })
    expect(called).toBe(0)
    expect(result.output.usedTools?.[0]?.error).toMatch(message)
    expect(toldTo(model, 1).at(-1)).toContain('error-text')
    expect(result.output.content).toBe('sorry')
  })

  test('an agent stops with an error after 25 turns', async () => {
    const model = scriptedModel(asksToAdd)
    await expect(runStep(agent, {}, { model, tools: [adder()] })).rejects.toThrow('stopped after 25 turns')
    expect(model.calls).toHaveLength(25)
  })
})

test('a tool call records how long it ran', async () => {
  let at = 0
  const clock = { now: () => new Date(at), sleep: () => Promise.resolve() }
  const tool = adder({
    call: async () => {
      at += 1500
      return 3
    },
  })
  const { result } = await runStep(agent, {}, { model: scriptedModel(asksToAdd, ['3']), tools: [tool], clock })
  expect(result.output.usedTools).toMatchObject([{ tool: 'add', milliseconds: 1500 }])
})

test('a failing tool returns its error to the model and is recorded', async () => {
  const tool = adder({ call: () => Promise.reject(new Error('no electricity')) })
  const { result } = await runStep(agent, {}, { model: scriptedModel(asksToAdd, ['cannot']), tools: [tool] })
  expect(result.output.usedTools).toEqual([
    { tool: 'add', toolInput: { a: 1, b: 2 }, toolOutput: '', error: 'no electricity', milliseconds: 0 },
  ])
})

test('earlier steps are durable before a tool with a side effect runs', async () => {
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

test('cancelling a run during a tool call stops the step instead of reporting a tool error', async () => {
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

test('structured output takes one more model call after the tools', async () => {
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

test('built-in tools of a provider that is not selected are ignored', async () => {
  const inputs = {
    agentModel: 'chatMistralAI',
    agentToolsBuiltInOpenAI: '["web_search_preview"]',
    agentKnowledgeDocumentStores: [],
  }
  expect((await runStep(agent, inputs, { model: scriptedModel(['x']) })).result.output.content).toBe('x')
})

test('a model without built-in tools fails the step with a clear error', async () => {
  const inputs = { agentModel: 'chatOpenAI', agentToolsBuiltInOpenAI: '["web_search_preview"]' }
  await expect(runStep(agent, inputs, { model: scriptedModel(['x']) })).rejects.toThrow(
    'scripted does not support built-in tools',
  )
})

test('the output of a Return direct tool is the answer', async () => {
  const model = scriptedModel({ calls: [['add', '{"a":1,"b":2}']] })
  const { result, events } = await runStep(agent, {}, { model, tools: [adder({ returnDirect: true })] })
  expect(result.output.content).toBe('3')
  expect(model.calls).toHaveLength(1)
  expect(events.filter(({ event }) => event === 'token')).toEqual([{ event: 'token', data: '3' }])

  const failing = adder({ returnDirect: true, call: () => Promise.reject(new Error('no')) })
  const again = scriptedModel(asksToAdd, ['sorry'])
  expect((await runStep(agent, {}, { model: again, tools: [failing] })).result.output.content).toBe('sorry')
})

test('the reasoning of every turn is shown and sent back to the model', async () => {
  const model = scriptedModel({ ...asksToAdd, thoughts: 'I add' }, { calls: [], words: ['It is 3'], thoughts: 'Done' })
  const { result } = await runStep(agent, {}, { model, tools: [adder()] })
  expect(result.output.reasonContent).toMatchObject({ thinking: 'I add\n\nDone' })
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('{"type":"reasoning","text":"I add"')
})

test('the structured output call sends tool calls as text, because some providers reject them without tools', async () => {
  const model = scriptedModel(asksToAdd, ['It is 3'], ['{"sum":3}'])
  const inputs = { agentStructuredOutput: [{ key: 'sum', type: 'number' }] }
  await runStep(agent, inputs, { model, tools: [adder()] })
  expect(JSON.stringify(model.calls[2]?.prompt)).not.toMatch(/"tool-(call|result)"/)
  expect(toldTo(model, 2).join('\n')).toContain('(called add with')
})

test('schemas that a provider would reject are simplified for the model but still validated', async () => {
  const parameters = { oneOf: [{ type: 'object', properties: { list: { type: 'array' } }, required: ['list'] }] }
  const model = scriptedModel({ calls: [['add', '{}']] }, ['sorry'])
  const { result } = await runStep(agent, {}, { model, tools: [adder({ parameters })] })
  expect(model.calls[0]?.tools).toMatchObject([
    { inputSchema: { type: 'object', properties: { list: { type: 'array', items: {} } } } },
  ])
  expect(result.output.usedTools?.[0]?.error).toMatch(/are invalid/)
})

test('tool output is truncated for the model and the log', async () => {
  const model = scriptedModel(asksToAdd, ['ok'])
  const huge = adder({ call: async () => ({ text: 'x'.repeat(3_000_000) }) })
  const { result } = await runStep(agent, {}, { model, tools: [huge] })
  expect(JSON.stringify(result.output).length).toBeLessThan(150_000)
  expect(toldTo(model, 1).at(-1)).toContain('[truncated after 100000 characters]')
  const failing = adder({ call: () => Promise.reject(new Error('x'.repeat(3_000_000))) })
  const failed = await runStep(agent, {}, { model: scriptedModel(asksToAdd, ['ok']), tools: [failing] })
  expect(JSON.stringify(failed.result.output).length).toBeLessThan(150_000)
})

test('each tool call has an idempotency key that is stable across attempts', async () => {
  const attempt = async () => {
    const keys: string[] = []
    const tool = adder({ call: async (_args, key) => void keys.push(key) })
    const twice = { calls: [...asksToAdd.calls, ...asksToAdd.calls] }
    await runStep(agent, {}, { model: scriptedModel(twice, asksToAdd, ['done']), tools: [tool] })
    return keys
  }
  const keys = ['execution-1:node_0-add-0', 'execution-1:node_0-add-1', 'execution-1:node_0-add-2']
  expect(await attempt()).toEqual(keys)
  expect(await attempt()).toEqual(keys)
})

test('every model call is charged immediately, and no call follows once a limit is exceeded', async () => {
  const stop = new AbortController()
  const model = scriptedModel(asksToAdd, ['It is 3'])
  let charged = 0
  const charge = ({ total_tokens }: { total_tokens: number }) => {
    charged += total_tokens
    stop.abort(new Error('limit'))
  }
  await expect(runStep(agent, {}, { model, tools: [adder()], charge, signal: stop.signal })).rejects.toThrow('limit')
  expect(charged).toBe(12)
  expect(model.calls).toHaveLength(1)
})

test('usage of models inside a tool counts for the step, even when the tool fails', async () => {
  const charged: number[] = []
  const call: CallableTool['call'] = async (_args, _key, step) => {
    step?.charge({ input_tokens: 100, output_tokens: 0, total_tokens: 100 })
    throw new Error('waits for a person')
  }
  const charge = ({ total_tokens }: { total_tokens: number }) => void charged.push(total_tokens)
  const setting = { model: scriptedModel(asksToAdd, ['sorry']), tools: [adder({ call })], charge }
  const { result } = await runStep(agent, {}, setting)
  expect(charged).toEqual([12, 100, 12])
  expect(result.output.usageMetadata?.total_tokens).toBe(124)
})

test('tool connections are closed, even when the step fails', async () => {
  let closed = 0
  const tool = adder({ close: async () => void closed++ })
  await runStep(agent, {}, { model: scriptedModel(['hi']), tools: [tool] })
  await expect(runStep(agent, {}, { model: scriptedModel({ error: new Error('x') }), tools: [tool] })).rejects.toThrow()
  expect(closed).toBe(2)
})

describe('knowledge of an agent', () => {
  const agentKnowledgeDocumentStores = [
    { documentStore: 'id-1:Hand Book', docStoreDescription: 'How we work', returnSourceDocuments: true },
    { documentStore: '' },
  ]
  const asks = { calls: [['hand_book', '{"input":"holidays"}']] as [string, string][] }
  const documents = [{ pageContent: '30 days', metadata: { page: 3 } }]

  test('becomes one tool per document store', async () => {
    const model = scriptedModel(asks, ['30'])
    const asked: unknown[] = []
    const knowledge = {
      ...noKnowledge,
      search: async ({ store, query }: { store: string; query: string }) => {
        asked.push([store, query])
        return documents
      },
    }
    const { result } = await runStep(agent, { agentKnowledgeDocumentStores }, { model, knowledge })
    expect(asked).toEqual([['id-1:Hand Book', 'holidays']])
    expect(result.output).toMatchObject({
      content: '30',
      usedTools: [{ tool: 'hand_book', toolOutput: '30 days', sourceDocuments: documents }],
      sourceDocuments: documents,
      availableTools: [{ name: 'hand_book', description: 'How we work' }],
    })
  })

  test('searches a vector store with the item that chose it, and cites when asked to', async () => {
    const row = { vectorStore: 'pinecone', embeddingModel: 'openAIEmbeddings', knowledgeName: 'Hand Book' }
    const items: unknown[] = []
    const vectorSearch = async (item: Record<string, unknown>) => {
      items.push(item)
      return async (query: string) => [{ id: '1', pageContent: `about ${query}`, metadata: {} }]
    }
    const inputs = { agentKnowledgeVSEmbeddings: [{ ...row, returnSourceDocuments: true }] }
    const { result } = await runStep(agent, inputs, { model: scriptedModel(asks, ['30']), vectorSearch })
    expect(items).toEqual([{ ...row, returnSourceDocuments: true }])
    expect(result.output).toMatchObject({
      usedTools: [{ tool: 'hand_book', toolOutput: 'about holidays' }],
      sourceDocuments: [{ pageContent: 'about holidays' }],
    })
  })

  test.each([
    ['a document store', { agentKnowledgeDocumentStores }, '"Hand Book" does not exist'],
    [
      'a vector store',
      { agentKnowledgeVSEmbeddings: [{ vectorStore: 'pinecone', knowledgeName: 'Hand Book' }] },
      'no vector store in this test',
    ],
  ])('%s that does not exist returns an error to the model, and the run ends', async (_name, inputs, message) => {
    const model = scriptedModel(asks, ['cannot say'])
    const knowledge = {
      ...noKnowledge,
      search: () => Promise.reject(new Error('The document store "Hand Book" does not exist')),
    }
    const { result } = await runStep(agent, inputs, { model, knowledge })
    expect(result.output.usedTools?.[0]?.error).toContain(message)
    expect(result.output.content).toBe('cannot say')
  })

  test('gets tool names that differ from other tools', async () => {
    const inputs = { agentKnowledgeDocumentStores: [{ documentStore: '1:add' }, { documentStore: '2:add' }] }
    const { result } = await runStep(agent, inputs, { model: scriptedModel(['x']), tools: [adder()] })
    expect(result.output.availableTools).toMatchObject([{ name: 'add' }, { name: 'add_2' }, { name: 'add_3' }])
  })
})
