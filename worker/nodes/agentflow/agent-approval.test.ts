import { describe, expect, test } from 'vitest'
import type { HumanAnswer } from '#contract/runs/events.ts'
import { ownTools } from '../../tools/testing/own-tools.ts'
import type { CallableTool } from '../../tools/types.ts'
import { type Answer, noVectors, runStep, scriptedModel, toldTo } from '../testing/steps.ts'
import type { OpenTool } from '../types.ts'
import { agent } from './agent.ts'

type Model = ReturnType<typeof scriptedModel>

let calls: string[] = []

function tool(name: string, item: number, more: Partial<CallableTool> = {}): OpenTool {
  return {
    name,
    item,
    description: name,
    parameters: { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false },
    hasEffect: true,
    call: async ({ n }, key) => {
      calls.push(key)
      return `${name} ${n}`
    },
    ...more,
  }
}

/** Item 0 is a server with two tools that require approval; item 1 requires none. */
const tools = [tool('pay', 0), tool('refund', 0), tool('look', 1)]
const guarded = {
  agentTools: [
    { agentSelectedTool: 'customMCP', agentSelectedToolRequiresHumanInput: true },
    { agentSelectedTool: 'look' },
  ],
}
const asks = (...names: string[]): Answer => ({
  calls: names.map((name): [string, string] => [name, '{"n":1}']),
  words: ['I would pay'],
})

interface Said {
  answer: HumanAnswer
  kept: unknown
}

/** Runs the node once. Saved state passes through JSON, as in the log. */
async function pass(model: Model, said?: Said, inputs: Record<string, unknown> = guarded) {
  const components = {
    own: ownTools(),
    model: async () => ({ model, modelName: 'scripted', settings: {} }),
    tools: async () => tools.filter(({ item }) => item < (inputs.agentTools as unknown[]).length),
    vectorSearch: noVectors,
    credential: async () => ({}),
  }
  calls = []
  const kept = said && (JSON.parse(JSON.stringify(said.kept)) as unknown)
  return runStep(agent, inputs, { components, ...(said && { answered: { answer: said.answer, kept } }) })
}

const keptOf = async (...names: string[]) => (await pass(scriptedModel(asks(...names)))).result.wait?.kept
const toolNames = (model: Model) => (model.calls[0]?.tools ?? []).map(({ name }) => name)
const proceed = (feedback?: string): HumanAnswer => ({ type: 'proceed', feedback })
const reject = (feedback?: string): HumanAnswer => ({ type: 'reject', feedback })

test('stops before a guarded tool runs and asks for approval', async () => {
  const { result, events } = await pass(scriptedModel(asks('look', 'pay')))
  expect(calls).toEqual([])
  expect(result.output.isWaitingForHumanInput).toBe(true)
  expect(result.output.content).toMatch(/^I would pay\n\n```json\n[\s\S]*"name": "pay"[\s\S]*```$/)
  expect(result.wait?.input).toEqual({
    humanInputEnableFeedback: true,
    approvers: 'members',
    toolCalls: [
      { tool: 'look', toolInput: { n: 1 } },
      { tool: 'pay', toolInput: { n: 1 } },
    ],
  })
  expect(result).not.toHaveProperty('chatHistory')
  const spoken = events.flatMap(({ event, data }) => (event === 'token' ? [data] : []))
  expect(spoken.join('')).toBe(result.output.content)
})

test('runs calls of tools that need no approval', async () => {
  const { result } = await pass(scriptedModel(asks('look'), ['seen']))
  expect(calls).toEqual(['execution-1:node_0-look-0'])
  expect(result).not.toHaveProperty('wait')
})

describe('an approved tool call', () => {
  test('runs, and the model continues with its result', async () => {
    const kept = await keptOf('look', 'pay')
    const model = scriptedModel(['Paid'])
    const { result, events } = await pass(model, { answer: proceed('quickly'), kept })
    expect(calls).toEqual(['execution-1:node_0-look-0', 'execution-1:node_0-pay-0'])
    expect(result.output).toMatchObject({
      content: 'Paid',
      usedTools: [
        { tool: 'look', toolOutput: 'look 1' },
        { tool: 'pay', toolOutput: 'pay 1' },
      ],
      usageMetadata: { total_tokens: 24 },
    })
    expect(toldTo(model)[0]).toBe('user: hello')
    expect(toldTo(model).at(-1)).toContain('The person who allowed this says: quickly')
    expect(result.chatHistory?.map(({ content }) => content)).toEqual(['hello', 'Paid'])
    expect(events.flatMap(({ event, data }) => (event === 'token' ? [data] : [])).join('')).toBe('Paid')
    expect(result).not.toHaveProperty('wait')
  })

  test('can be followed by another question in the same step, with consecutive idempotency keys', async () => {
    const second = await pass(scriptedModel(asks('pay')), { answer: proceed(), kept: await keptOf('pay') })
    expect(calls).toEqual(['execution-1:node_0-pay-0'])
    const third = await pass(scriptedModel(['Twice']), { answer: proceed(), kept: second.result.wait?.kept })
    expect(calls).toEqual(['execution-1:node_0-pay-1'])
    expect(third.result.output).toMatchObject({ content: 'Twice', usageMetadata: { total_tokens: 36 } })
  })

  test('is followed by the structured answer once no question is open', async () => {
    const structured = { ...guarded, agentStructuredOutput: [{ key: 'sum', type: 'number' }] }
    const first = await pass(scriptedModel(asks('pay')), undefined, structured)
    expect(first.events.filter(({ event }) => event === 'token')).toEqual([
      { event: 'token', data: first.result.output.content },
    ])
    const said = { answer: proceed(), kept: first.result.wait?.kept }
    const { result } = await pass(scriptedModel(['Paid'], ['{"sum":1}']), said, structured)
    expect(result.output).toMatchObject({ sum: 1, usageMetadata: { total_tokens: 36 } })
  })
})

describe('a rejected tool call', () => {
  test('runs nothing, removes the tools of that entry and calls the model again', async () => {
    const kept = await keptOf('look', 'pay')
    const model = scriptedModel(['Then not'])
    const { result } = await pass(model, { answer: reject('too dear'), kept })
    expect(calls).toEqual([])
    expect(toolNames(model)).toEqual(['look'])
    expect(toldTo(model).at(-1)).toContain('A person declined this call')
    expect(toldTo(model).at(-1)).toContain('too dear')
    expect(result.output.content).toBe('Then not')
    expect(result.output.usedTools?.map(({ error }) => error?.slice(0, 8))).toEqual(['Not run,', 'A person'])
  })

  test('returns an error to a model that repeats it', async () => {
    const said = { answer: reject(), kept: await keptOf('pay') }
    const { result } = await pass(scriptedModel(asks('refund'), ['ok']), said)
    expect(result.output.content).toBe('ok')
    expect(result.output.usedTools?.at(-1)?.error).toContain('Tool "refund" does not exist')
  })

  test('is replaced with text when no tool is left, because some providers reject tool calls without tools', async () => {
    const only = { agentTools: guarded.agentTools.slice(0, 1) }
    const first = await pass(scriptedModel(asks('pay')), undefined, only)
    const model = scriptedModel(['ok'])
    await pass(model, { answer: reject(), kept: first.result.wait?.kept }, only)
    expect(model.calls[0]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(toldTo(model).at(1)).toContain('called pay with')
    expect(toolNames(model)).toEqual([])
  })
})

test('a call with invalid arguments is not sent for approval', async () => {
  const { result } = await pass(scriptedModel({ calls: [['pay', '{"n":"x"}']] }, ['sorry']))
  expect(result).not.toHaveProperty('wait')
  expect(result.output.usedTools?.[0]?.error).toContain('are invalid')
})
