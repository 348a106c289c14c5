import { expect, test } from 'vitest'
import type { CallableTool } from '../../tools/types.ts'
import { runStep } from '../testing/steps.ts'
import { toolNode } from './tool.ts'

function tool(name: string, more: Partial<CallableTool> = {}): CallableTool {
  return {
    name,
    description: '',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
    hasEffect: false,
    call: async (args) => `${name} ${JSON.stringify(args)}`,
    ...more,
  }
}

const chosen = { toolAgentflowSelectedTool: 'any' }
const args = (values: Record<string, unknown>) => ({
  ...chosen,
  toolInputArgs: Object.entries(values).map(([inputArgName, inputArgValue]) => ({ inputArgName, inputArgValue })),
})

test('a Tool node calls the tool with its arguments and passes on the result', async () => {
  const { result, events } = await runStep(toolNode, args({ text: 'hi' }), { tools: [tool('say')] })
  expect(result.output).toEqual({ content: 'say {"text":"hi"}' })
  expect(result.input).toEqual({ toolInputArgs: { text: 'hi' }, selectedTool: 'any' })
  expect(events).toEqual([{ event: 'token', data: 'say {"text":"hi"}' }])
  expect((await runStep(toolNode, chosen, { tools: [tool('say')], isLast: false })).events).toEqual([])
})

test.each([
  ['number', '3', 3],
  ['integer', ' 4 ', 4],
  ['boolean', 'true', true],
  ['array', '[1, 2]', [1, 2]],
  ['array', '\\[1, "a\\_b"\\]', [1, 'a_b']],
  ['object', '{"a": {"b": 1}}', { a: { b: 1 } }],
  [undefined, '{"a": 1}', { a: 1 }],
  ['string', '[1]', '[1]'],
  ['string', '12', '12'],
  ['string', { a: 1 }, '{"a":1}'],
])('an argument of type %s is converted from %j to %j', async (type, written, value) => {
  let got: unknown
  const parameters = { type: 'object', properties: { x: type ? { type } : {} } }
  const call = async (given: Record<string, unknown>) => {
    got = given.x
    return ''
  }
  await runStep(toolNode, args({ x: written }), { tools: [tool('t', { parameters, call })] })
  expect(got).toEqual(value)
})

test.each([
  [{ text: 5, other: 1 }, 'The arguments are invalid'],
  [{ other: 'x' }, 'other'],
])('invalid arguments %j fail the step before the tool is called', async (values, message) => {
  let called = 0
  const call = async () => ++called
  await expect(runStep(toolNode, args(values), { tools: [tool('t', { call })] })).rejects.toThrow(message)
  expect(called).toBe(0)
})

test('several tools run at once with the arguments they declare, and results keep their order', async () => {
  const order: string[] = []
  const release: (() => void)[] = []
  const late = tool('late', {
    call: async () => {
      await new Promise<void>((resolve) => release.push(resolve))
      order.push('late')
      return 'first'
    },
  })
  const early = tool('early', {
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    call: async () => {
      order.push('early')
      release[0]?.()
      return { second: true }
    },
  })
  const { result } = await runStep(toolNode, args({ text: 'x' }), { tools: [late, early] })
  expect(order).toEqual(['early', 'late'])
  expect(result.output.content).toBe('first\n{"second":true}')
})

test('earlier steps are durable before a side effect, and the idempotency key is stable', async () => {
  const order: string[] = []
  const effect = tool('send', { hasEffect: true, call: async (_args, key) => order.push(key) })
  const setting = { tools: [effect], barrier: async () => void order.push('barrier') }
  await runStep(toolNode, chosen, setting)
  await runStep(toolNode, chosen, setting)
  expect(order).toEqual(['barrier', 'execution-1:node_0-send-0', 'barrier', 'execution-1:node_0-send-0'])
})

test('a failing tool fails the step with its message after the others finish, and connections are closed', async () => {
  const done: string[] = []
  const fails = tool('fails', { call: () => Promise.reject(new Error('no electricity')) })
  const goes = tool('goes', {
    call: async () => {
      await Promise.resolve()
      done.push('goes')
    },
    close: async () => void done.push('closed'),
  })
  await expect(runStep(toolNode, chosen, { tools: [fails, goes] })).rejects.toThrow(new Error('no electricity'))
  expect(done).toEqual(['goes', 'closed'])
})

test('documents cited by a tool are shown', async () => {
  const call: CallableTool['call'] = async (_args, _key, step) => {
    step?.cite([{ pageContent: 'p' }])
    return step?.question
  }
  const { result } = await runStep(toolNode, chosen, { tools: [tool('find', { call })] })
  expect(result.output).toEqual({ content: 'hello', sourceDocuments: [{ pageContent: 'p' }] })
})

test('artifacts of a tool are passed on and emitted by the last node', async () => {
  const picture = { type: 'png', data: 'data:image/png;base64,AAAA' }
  const call: CallableTool['call'] = async (_args, _key, step) => {
    step?.show([picture])
    return 'a picture'
  }
  const { result, events } = await runStep(toolNode, chosen, { tools: [tool('draw', { call })], isLast: true })
  expect(result.output).toEqual({ content: 'a picture', artifacts: [picture] })
  expect(events).toContainEqual({ event: 'artifacts', data: [picture] })
})

test('usage of models inside a tool is charged and shown', async () => {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  const charged: unknown[] = []
  const call: CallableTool['call'] = async (_args, _key, step) => step?.charge(usage)
  const setting = {
    tools: [tool('a', { call }), tool('b', { call })],
    charge: (part: unknown) => void charged.push(part),
  }
  const { result } = await runStep(toolNode, chosen, setting)
  expect(charged).toEqual([usage, usage])
  expect(result.output.usageMetadata?.total_tokens).toBe(4)
})

test('a Tool node without a tool fails', async () => {
  await expect(runStep(toolNode, {}, {})).rejects.toThrow('Choose a tool')
})
