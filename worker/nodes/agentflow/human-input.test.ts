import { describe, expect, test } from 'vitest'
import type { HumanAnswer } from '#contract/runs/events.ts'
import { runStep, scriptedModel, toldTo } from '../testing/steps.ts'
import { humanInput } from './human-input.ts'
import { llm } from './llm.ts'

const said = [
  { role: 'user' as const, content: 'Write to Ann' },
  { role: 'assistant' as const, content: 'Dear Ann' },
]

/** Runs the node to its question and answers it. */
async function answered(answer: HumanAnswer) {
  const setting = { runtimeHistory: said }
  const first = await runStep(humanInput, { humanInputDescription: 'Send it?' }, setting)
  const kept = first.result.wait?.kept
  const { result } = await runStep(humanInput, {}, { ...setting, answered: { answer, kept } })
  return { question: first.result.output.content, result, history: [...said, ...(result.chatHistory ?? [])] }
}

test('the question is shown below the latest message', async () => {
  expect((await answered({ type: 'proceed' })).question).toBe('Dear Ann\n\nSend it?')
})

describe('the next model call', () => {
  test.each<[HumanAnswer, string]>([
    [{ type: 'proceed' }, 'user: Proceed'],
    [{ type: 'reject' }, 'user: Reject'],
    [{ type: 'proceed', feedback: 'Add a greeting' }, 'user: Add a greeting'],
    [{ type: 'reject', feedback: 'Too short' }, 'user: Too short'],
  ])('ends with the answer %j', async (answer, last) => {
    const { history } = await answered(answer)
    const model = scriptedModel(['ok'])
    await runStep(llm, {}, { model, runtimeHistory: history })
    expect(toldTo(model).at(-2)).toMatch(/^assistant: .*Send it\?/)
    expect(toldTo(model).at(-1)).toBe(last)
  })
})

test('the trace shows the answer and the conversation before it', async () => {
  const { result } = await answered({ type: 'proceed', feedback: 'Go' })
  expect(result.input).toEqual({
    type: 'proceed',
    feedback: 'Go',
    startNodeId: 'humanInputAgentflow_0',
    messages: [...said, { role: 'user', content: 'Go' }],
  })
  expect(result.output).toMatchObject({
    content: 'Go',
    conditions: [
      { type: 'proceed', isFulfilled: true },
      { type: 'reject', isFulfilled: false },
    ],
  })
  expect(result.takenOutputs).toEqual([0])
})
