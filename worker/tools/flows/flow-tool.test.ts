import { describe, expect, test } from 'vitest'
import type { UsageMetadata } from '#contract/runs/events.ts'
import type { FlowAnswer, FlowCall } from '../../ports/types.ts'
import { ownTools } from '../testing/own-tools.ts'
import type { CallableTool, CallingStep } from '../types.ts'
import { agentAsTool, chatflowTool } from './flow-tool.ts'

const usage: UsageMetadata = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
const finished: FlowAnswer = { state: 'FINISHED', executionId: 'child', text: 'it is on its way', usage }

async function open(config: Record<string, unknown>, answer = finished, type = chatflowTool) {
  const calls: FlowCall[] = []
  const none = () => Promise.reject(new Error('not in this test'))
  const [tool] = await type.open({
    config: { selectedChatflow: 'flow-2', ...config },
    credential: {},
    egress: { fetch: none },
    sandbox: { run: none },
    clock: { now: () => new Date(0), sleep: none },
    flows: {
      run: async (call) => {
        calls.push(call)
        return answer
      },
      resume: none,
    },
    own: ownTools(),
    signal: new AbortController().signal,
  })
  return { tool: tool as CallableTool, calls }
}

function step() {
  const charged: UsageMetadata[] = []
  const calling: CallingStep = {
    question: 'from the chat',
    charge: (part) => void charged.push(part),
    cite: () => {},
    show: () => {},
    globals: () => ({}),
  }
  return { calling, charged }
}

test('a flow tool sends the model’s question to the selected flow', async () => {
  const { tool, calls } = await open({ name: 'Order status!', description: 'Knows orders', returnDirect: true })
  expect(tool).toMatchObject({
    name: 'Order_status',
    description: 'Knows orders',
    parameters: { required: ['input'] },
    hasEffect: true,
    returnDirect: true,
  })
  const { calling, charged } = step()
  expect(await tool.call({ input: 'order 7?' }, 'key-1', calling)).toBe('it is on its way')
  expect(calls).toMatchObject([{ flowId: 'flow-2', question: 'order 7?', key: 'key-1', overrideConfig: undefined }])
  expect(charged).toEqual([usage])
})

describe('the question and config of a flow tool', () => {
  test.each([
    [{ useQuestionFromChat: true, customInput: 'x' }, 'from the chat'],
    [{ customInput: 'always this' }, 'always this'],
  ])('follow from the settings %j', async (config, question) => {
    const { tool, calls } = await open(config)
    expect(tool.parameters.required).toEqual([])
    await tool.call({ input: 'from the model' }, 'key-1', step().calling)
    expect(calls[0]?.question).toBe(question)
  })

  test.each([
    [{ overrideConfig: '{"a":1}' }, { a: 1 }],
    [{ startNewSession: true }, { sessionId: 'key-1' }],
    [{ startNewSession: true, overrideConfig: { sessionId: 's' } }, { sessionId: 's' }],
  ])('follow from the settings %j', async (config, overrideConfig) => {
    const { tool, calls } = await open(config)
    await tool.call({ input: 'x' }, 'key-1', step().calling)
    expect(calls[0]?.overrideConfig).toEqual(overrideConfig)
  })
})

test('a flow that pauses for a person is a tool error', async () => {
  const { tool } = await open({}, { ...finished, state: 'STOPPED', text: 'May I?' })
  const { calling, charged } = step()
  await expect(tool.call({ input: 'x' }, 'key-1', calling)).rejects.toThrow('paused to ask a person: "May I?"')
  expect(charged).toEqual([usage])
})

test('the agent tool has its own input for the flow', async () => {
  const { tool, calls } = await open({ selectedAgentflow: 'flow-3' }, finished, agentAsTool)
  expect(tool.name).toBe('agentflow_tool')
  await tool.call({ input: 'x' }, 'key-1')
  expect(calls[0]?.flowId).toBe('flow-3')
})

test.each([
  [{ selectedChatflow: '' }, 'Select chatflow: choose a flow'],
  [{ baseURL: 'https://other.example' }, 'flows on other.example'],
  [{ overrideConfig: 'x' }, 'Override config must be a JSON object'],
])('%j is refused', async (config, message) => {
  await expect(open(config)).rejects.toThrow(message)
})
