import { APICallError } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import type { ChatTurn } from '#contract/runs/events.ts'
import { type Answer, runStep, scriptedModel, toldTo } from '../testing/steps.ts'
import { llm } from './llm.ts'

const turn = (role: ChatTurn['role'], content: string): ChatTurn => ({ role, content })
const past = [turn('user', 'p1'), turn('assistant', 'p2'), turn('user', 'p3'), turn('assistant', 'p4')]
const input = { question: 'q', text: 'q', history: [turn('user', 'h1'), turn('assistant', 'h2')] }
const system = { role: 'system', content: 'Be brief' }

describe('the prompt of an LLM node', () => {
  test.each([
    [
      'everything, system first',
      { llmMessages: [{ role: 'user', content: 'm1' }, system] },
      {},
      'system: Be brief|user: h1|assistant: h2|user: m1|user: p1|assistant: p2|user: p3|assistant: p4|user: q',
    ],
    [
      'developer messages as system, after those of the system',
      { llmMessages: [{ role: 'developer', content: 'D' }, system] },
      { pastHistory: [] },
      'system: Be brief|system: D|user: h1|assistant: h2|user: q',
    ],
    [
      'the input message last',
      { llmUserMessage: 'last' },
      { pastHistory: [] },
      'user: h1|assistant: h2|user: q|user: last',
    ],
    [
      'a later node: what was said, without the question again',
      {},
      { runtimeHistory: [turn('user', 'q'), turn('user', 'r')], pastHistory: [] },
      'user: q|user: r',
    ],
    [
      'the window, which counts the question',
      { llmMemoryType: 'windowSize', llmMemoryWindowSize: '1' },
      {},
      'user: h1|assistant: h2|assistant: p4|user: q',
    ],
    ['no memory: the question', { llmEnableMemory: false }, {}, 'user: h1|assistant: h2|user: q'],
    [
      'no memory, an own user message: not the question',
      { llmEnableMemory: '', llmMessages: [{ role: 'user', content: 'own' }] },
      {},
      'user: h1|assistant: h2|user: own',
    ],
    [
      'no memory, a later node: its messages alone',
      { llmEnableMemory: false, llmMessages: [system] },
      { runtimeHistory: [turn('user', 'r')] },
      'system: Be brief',
    ],
    [
      'no empty ones',
      {
        llmMessages: [
          { role: 'user', content: ' ' },
          { role: '', content: 'x' },
        ],
      },
      { pastHistory: [] },
      'user: h1|assistant: h2|user: q',
    ],
  ])('sends the right messages: %s', async (_name, inputs, more, told) => {
    const model = scriptedModel(['ok'])
    await runStep(llm, inputs, { model, input, pastHistory: past, ...more })
    expect(toldTo(model).join('|')).toBe(told)
  })

  test('contains a summary by the same model instead of the conversation', async () => {
    const model = scriptedModel(['SUM'], ['answer'])
    const { result } = await runStep(llm, { llmMemoryType: 'conversationSummary' }, { model, pastHistory: past })
    expect(toldTo(model, 0)[1]).toContain('user: p1')
    expect(toldTo(model, 1)).toEqual(['assistant: SUM', 'user: hello'])
    expect(result.output.usageMetadata?.total_tokens).toBe(24)
  })

  test('keeps the latest message of the run in full next to a summary', async () => {
    const model = scriptedModel(['SUM'], ['answer'])
    const runtimeHistory = [turn('user', 'question'), turn('user', 'draft')]
    const inputs = { llmMemoryType: 'conversationSummary' }
    await runStep(llm, inputs, { model, pastHistory: past, runtimeHistory })
    expect(toldTo(model, 0)[1]).toContain('user: question')
    expect(toldTo(model, 0)[1]).not.toContain('draft')
    expect(toldTo(model, 1)).toEqual(['assistant: SUM', 'user: draft'])
    const alone = scriptedModel(['answer'])
    await runStep(llm, inputs, { model: alone, runtimeHistory: [turn('user', 'draft')] })
    expect(toldTo(alone)).toEqual(['user: draft'])
  })

  test('contains a summary of the messages beyond the token limit and the rest in full', async () => {
    const model = scriptedModel(['SUM'], ['answer'])
    const long = [turn('user', 'x'.repeat(400)), ...past]
    const inputs = { llmMemoryType: 'conversationSummaryBuffer', llmMemoryMaxTokenLimit: '50' }
    await runStep(llm, inputs, { model, pastHistory: long })
    expect(toldTo(model, 0)[1]).not.toContain('p1')
    expect(toldTo(model, 1)[0]).toMatch(/^system: [\s\S]*SUM/)
    expect(toldTo(model, 1).slice(1)).toEqual(['user: p1', 'assistant: p2', 'user: p3', 'assistant: p4', 'user: hello'])
    const withSystem = scriptedModel(['SUM'], ['answer'])
    await runStep(llm, { ...inputs, llmMessages: [system] }, { model: withSystem, pastHistory: long })
    expect(toldTo(withSystem, 1).slice(0, 2)).toEqual(['system: Be brief', expect.stringMatching(/^user: [\s\S]*SUM/)])
  })

  test('must not be empty, otherwise the step fails without a call', async () => {
    const model = scriptedModel(['ok'])
    const runtimeHistory = [turn('user', 'r')]
    await expect(runStep(llm, { llmEnableMemory: false }, { model, runtimeHistory })).rejects.toThrow(
      'no messages to send',
    )
    expect(model.calls).toEqual([])
  })
})

describe('the result of an LLM node', () => {
  test('streams tokens and reports usage and cost', async () => {
    const { result, events } = await runStep(
      llm,
      {},
      { model: scriptedModel(['Hel', 'lo']), price: { input: 1, output: 2 } },
    )
    expect(events.filter(({ event }) => event === 'token').map(({ data }) => data)).toEqual(['Hel', 'lo'])
    expect(events.at(-1)?.event).toBe('usageMetadata')
    expect(result.output).toMatchObject({
      content: 'Hello',
      usageMetadata: { input_tokens: 10, output_tokens: 2, total_tokens: 12, input_cost: 10e-6, output_cost: 4e-6 },
      responseMetadata: { model_name: 'scripted', finish_reason: 'stop' },
    })
  })

  test('is not streamed when other nodes follow', async () => {
    expect((await runStep(llm, {}, { model: scriptedModel(['Hel', 'lo']), isLast: false })).events).toEqual([])
  })

  test.each([
    ['memory off: its own user messages', false, [turn('user', 'm1'), turn('user', 'm2')]],
    ['memory on: the question', true, [turn('user', 'hello')]],
  ])('the history of the run begins with what the first node asked; %s', async (_name, llmEnableMemory, asked) => {
    const llmMessages = [system, { role: 'user', content: 'm1' }, { role: 'user', content: 'm2' }]
    const { result } = await runStep(llm, { llmEnableMemory, llmMessages }, { model: scriptedModel(['A']) })
    expect(result.chatHistory?.slice(0, -1)).toEqual(asked)
    const later = { model: scriptedModel(['A']), runtimeHistory: [turn('user', 'r')] }
    const { result: second } = await runStep(llm, { llmEnableMemory, llmMessages }, later)
    expect(second.chatHistory).toHaveLength(1)
  })

  test.each([
    ['Writer No. 1 (draft)', 'writer_no._1_(draft)'],
    ['Übersetzer\t2', 'übersetzer_2'],
  ])('the history names the node %j as %s', async (label, name) => {
    const node = { id: 'llmAgentflow_0', name: 'llmAgentflow', label }
    const { result } = await runStep(llm, {}, { model: scriptedModel(['A']), node })
    expect(result.chatHistory?.at(-1)?.name).toBe(name)
  })

  test('reports an empty list of called tools', async () => {
    const { result, events } = await runStep(llm, {}, { model: scriptedModel(['A']) })
    expect(result.output.calledTools).toEqual([])
    expect(events.map(({ event }) => event)).toEqual(['token', 'calledTools', 'usageMetadata'])
  })

  test.each([
    ['userMessage', 'user'],
    ['assistantMessage', 'assistant'],
    [undefined, 'user'],
  ])('has the chosen role in the history for Return response as %s', async (llmReturnResponseAs, role) => {
    const inputs = llmReturnResponseAs ? { llmReturnResponseAs } : {}
    const { result } = await runStep(llm, inputs, { model: scriptedModel(['A']) })
    expect(result.chatHistory).toEqual([turn('user', 'hello'), { role, content: 'A', name: 'llm_0' }])
  })

  test('does not show the credential in the trace', async () => {
    const inputs = { llmModel: 'chat', llmModelConfig: { modelName: 'x', FLOWISE_CREDENTIAL_ID: 'secret-id' } }
    const { result } = await runStep(llm, inputs, { model: scriptedModel(['A']) })
    expect(JSON.stringify(result)).not.toContain('secret-id')
  })
})

describe('structured output of an LLM node', () => {
  const rows = [
    { key: 'city', type: 'string', description: 'Where' },
    { key: 'mood', type: 'enum', enumValues: 'good, bad' },
  ]
  const good = '{"city":"Bern","mood":"good"}'

  test('adds its keys to the output and is emitted as a whole', async () => {
    const model = scriptedModel([good])
    const { result, events } = await runStep(llm, { llmStructuredOutput: rows }, { model })
    expect(result.output).toMatchObject({
      city: 'Bern',
      mood: 'good',
      content: JSON.stringify(JSON.parse(good), null, 2),
    })
    expect(events.filter(({ event }) => event === 'token')).toHaveLength(1)
    expect(model.calls[0]?.responseFormat).toMatchObject({
      type: 'json',
      schema: { required: ['city', 'mood'], properties: { mood: { type: 'string', enum: ['good', 'bad'] } } },
    })
  })

  test.each([
    ['not JSON', 'I think Bern'],
    ['a wrong value', '{"city":"Bern","mood":"so-so"}'],
    ['a missing key', '{"city":"Bern"}'],
  ])('%s is sent back to the model once, with the schema', async (_name, bad) => {
    const model = scriptedModel([bad], [good])
    const { result } = await runStep(llm, { llmStructuredOutput: rows }, { model })
    expect(result.output).toMatchObject({ mood: 'good', usageMetadata: { total_tokens: 24 } })
    expect(toldTo(model, 1).at(-1)).toContain('JSON Schema')
  })

  test('fails the step when no response matches the schema', async () => {
    const model = scriptedModel(['no'])
    await expect(runStep(llm, { llmStructuredOutput: rows }, { model })).rejects.toThrow(
      "The model's response does not match JSON structured output: it is not JSON",
    )
    expect(model.calls).toHaveLength(2)
  })
})

describe('a provider error', () => {
  const refusal = (statusCode: number, responseBody: string) =>
    new APICallError({
      message: 'wrapped',
      url: 'https://provider.example',
      requestBodyValues: {},
      statusCode,
      responseBody,
      responseHeaders: { 'retry-after-ms': '1' },
    })
  const ask = (...answers: Answer[]) => {
    const model = scriptedModel(...answers)
    return { model, step: runStep(llm, {}, { model }) }
  }

  test.each([
    [401, '{"error":{"message":"Invalid key"}}', 'Invalid key (HTTP 401)'],
    [404, '{"error":"model not found"}', 'model not found (HTTP 404)'],
    [400, '[{"error":{"message":"In a list"}}]', 'In a list (HTTP 400)'],
    [422, '{"detail":[{"message":"bad field"}]}', 'bad field (HTTP 422)'],
    [400, '<html>', 'wrapped (HTTP 400)'],
  ])('%i %s is not retried and shows the provider’s message', async (status, body, message) => {
    const { model, step } = ask({ error: refusal(status, body) })
    await expect(step).rejects.toThrow(new Error(message))
    expect(model.calls).toHaveLength(1)
  })

  test.each([429, 500, 503])('%i is retried once', async (status) => {
    const { model, step } = ask({ error: refusal(status, '{}') }, ['fine'])
    expect((await step).result.output.content).toBe('fine')
    expect(model.calls).toHaveLength(2)
    const again = ask({ error: refusal(status, '{"message":"Slow down"}') })
    await expect(again.step).rejects.toThrow(`Slow down (HTTP ${status})`)
    expect(again.model.calls).toHaveLength(2)
  })

  test('is not reported when cancelling the run aborts the call', async () => {
    const stop = new AbortController()
    const model = scriptedModel(['a', 'b', 'c'])
    const step = runStep(llm, {}, { model, signal: stop.signal, emit: () => stop.abort() })
    await expect(step).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(model.calls[0]?.abortSignal?.aborted).toBe(true)
  })
})
