import { describe, expect, test } from 'vitest'
import { offeredParams } from '#contract/flow/params/params.ts'
import type { HumanInputAction, UsageMetadata } from '#contract/runs/events.ts'
import type { FlowAnswer, FlowCall, Flows } from '../../ports/types.ts'
import { runStep } from '../testing/steps.ts'
import { executeFlow } from './execute-flow.ts'

const usage = (total_tokens: number): UsageMetadata => ({ input_tokens: total_tokens, output_tokens: 0, total_tokens })
const inputs = { executeFlowSelectedFlow: 'flow-2', executeFlowInput: 'how much?' }
const finished: FlowAnswer = { state: 'FINISHED', executionId: 'child-1', text: 'five', usage: usage(7) }
const action: HumanInputAction = {
  id: 'child-1:humanInput_0:0',
  mapping: { approve: 'Proceed', reject: 'Reject' },
  elements: [],
  data: {
    nodeId: 'humanInput_0',
    nodeLabel: 'Human',
    path: 'humanInput_0',
    input: { humanInputEnableFeedback: false, messages: [{ role: 'assistant', content: 'Sure?' }] },
  },
}
const stopped: FlowAnswer = { ...finished, state: 'STOPPED', text: 'Sure?', action }

function flows(...answers: FlowAnswer[]) {
  const calls: unknown[] = []
  const answer = async (call: object) => {
    calls.push(call)
    return answers.shift() as FlowAnswer
  }
  const port: Flows = { run: (call: FlowCall) => answer(call), resume: (call) => answer(call) }
  return { flows: port, calls }
}

test('Execute Flow runs the flow and passes on its response', async () => {
  const { flows: port, calls } = flows(finished)
  const charged: UsageMetadata[] = []
  const order: string[] = []
  const { result, events } = await runStep(
    executeFlow,
    { ...inputs, executeFlowOverrideConfig: '{"sessionId":"s"}', executeFlowReturnResponseAs: 'assistantMessage' },
    { flows: port, charge: (part) => void charged.push(part), barrier: async () => void order.push('barrier') },
  )
  expect(calls).toMatchObject([
    {
      flowId: 'flow-2',
      question: 'how much?',
      overrideConfig: { sessionId: 's' },
      key: 'execution-1:node_0-flow-0',
    },
  ])
  expect(order).toEqual(['barrier'])
  expect(charged).toEqual([usage(7)])
  expect(result.output).toMatchObject({ content: 'five', usageMetadata: usage(7), executionId: 'child-1' })
  expect(result.chatHistory).toEqual([
    { role: 'user', content: 'how much?' },
    { role: 'assistant', content: 'five', name: 'execute_flow_0' },
  ])
  expect(events).toEqual([{ event: 'token', data: 'five' }])
})

describe('a called flow that pauses for a person', () => {
  test('pauses this step with its question and receives the answer', async () => {
    const first = await runStep(executeFlow, inputs, flows(stopped))
    expect(first.result.wait).toEqual({
      input: { humanInputEnableFeedback: false, messages: [{ role: 'assistant', content: 'Sure?' }] },
      kept: { executionId: 'child-1', actionId: action.id, usage: usage(7) },
    })
    expect(first.result.output.content).toBe('Sure?')
    expect(first.result).not.toHaveProperty('chatHistory')

    const kept = JSON.parse(JSON.stringify(first.result.wait?.kept))
    const answer = { type: 'proceed' as const, feedback: 'go' }
    const charged: UsageMetadata[] = []
    const again = flows({ ...finished, usage: usage(10) })
    const setting = { answered: { answer, kept }, charge: (part: UsageMetadata) => void charged.push(part) }
    const { result } = await runStep(executeFlow, inputs, { flows: again.flows, ...setting })
    expect(again.calls).toMatchObject([{ executionId: 'child-1', actionId: action.id, answer }])
    expect(charged).toEqual([usage(3)])
    expect(result.output).toMatchObject({ content: 'five', usageMetadata: usage(10) })
  })

  test('can ask again', async () => {
    const kept = { executionId: 'child-1', usage: usage(7) }
    const setting = {
      ...flows({ ...stopped, usage: usage(9) }),
      answered: { answer: { type: 'reject' as const }, kept },
    }
    const { result } = await runStep(executeFlow, inputs, setting)
    expect(result.wait?.kept).toEqual({ executionId: 'child-1', actionId: action.id, usage: usage(9) })
  })
})

describe('Execute Flow fails before anything runs', () => {
  test.each([
    [{ executeFlowSelectedFlow: '' }, 'Select flow: choose a flow'],
    [{ executeFlowOverrideConfig: '{' }, 'Override config must be a JSON object'],
    [{ executeFlowOverrideConfig: '[1]' }, 'Override config must be a JSON object'],
    [{ executeFlowBaseURL: 'https://flows.example.com' }, 'flows on flows.example.com'],
  ])('with %j', async (more, message) => {
    const { flows: port, calls } = flows(finished)
    await expect(runStep(executeFlow, { ...inputs, ...more }, { flows: port })).rejects.toThrow(message)
    expect(calls).toEqual([])
  })
})

test('Base URL is shown only when an imported flow sets it, and no credential is offered', () => {
  const { credential, inputs: params } = executeFlow.definition
  const offered = (values: object) => offeredParams(params, { ...values }).map(({ name }) => name)
  expect(credential).toBeUndefined()
  expect(offered({})).not.toContain('executeFlowBaseURL')
  expect(offered({ executeFlowBaseURL: 'https://flows.example.com' })).toContain('executeFlowBaseURL')
})

test.each(['', 'http://localhost:3000', 'http://127.0.0.1:3000/'])(
  'Base URL "%s" means this server',
  async (executeFlowBaseURL) => {
    const { result } = await runStep(executeFlow, { ...inputs, executeFlowBaseURL }, flows(finished))
    expect(result.output.content).toBe('five')
  },
)

test('a failing flow fails the step with its message', async () => {
  const port: Flows = {
    run: () => Promise.reject(new Error('The flow "B" would call itself')),
    resume: () => Promise.reject(),
  }
  await expect(runStep(executeFlow, inputs, { flows: port })).rejects.toThrow('The flow "B" would call itself')
})
