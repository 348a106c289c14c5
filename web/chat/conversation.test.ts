import { describe, expect, it } from 'vitest'
import type { RunEvent } from '#contract/events.ts'
import { type Answer, applyEvent, emptyAnswer, totalUsage, turnsOf } from './conversation.ts'

const answerAfter = (...events: RunEvent[]): Answer => events.reduce(applyEvent, emptyAnswer())
const step = (nodeId: string, status: 'INPROGRESS' | 'FINISHED' | 'ERROR'): RunEvent => ({
  event: 'nextAgentFlow',
  data: { nodeId, nodeLabel: nodeId, status },
})

describe('applyEvent', () => {
  it('joins tokens in their order', () => {
    expect(answerAfter({ event: 'token', data: 'Hel' }, { event: 'token', data: 'lo' }).text).toBe('Hello')
  })

  it('closes the step that is open, and opens a new one when the node runs again', () => {
    const answer = answerAfter(step('llm_0', 'INPROGRESS'), step('llm_0', 'FINISHED'), step('llm_0', 'INPROGRESS'))
    expect(answer.steps.map((mark) => mark.status)).toEqual(['FINISHED', 'INPROGRESS'])
  })

  it.each<[string, RunEvent[], Partial<Answer>]>([
    ['ends done', [{ event: 'end', data: '[DONE]' }], { state: 'done' }],
    [
      'ends failed with the message of the run',
      [
        { event: 'error', data: 'LLM 0: no key' },
        { event: 'end', data: '[DONE]' },
      ],
      { state: 'failed', error: 'LLM 0: no key' },
    ],
    [
      'ends stopped, which is not a failure',
      [
        { event: 'agentFlowEvent', data: 'TERMINATED' },
        { event: 'error', data: 'Flow execution was cancelled' },
        { event: 'end', data: '[DONE]' },
      ],
      { state: 'stopped' },
    ],
  ])('%s', (_name, events, expected) => {
    const { state, error } = answerAfter(...events)
    expect({ state, error }).toEqual({ error: undefined, ...expected })
  })

  it('keeps the ids that lead to the execution', () => {
    const answer = answerAfter({ event: 'metadata', data: { executionId: 'e', chatMessageId: 'm' } })
    expect([answer.executionId, answer.messageId]).toEqual(['e', 'm'])
  })
})

describe('totalUsage', () => {
  const item = (usageMetadata?: object) => ({
    nodeId: 'n',
    nodeLabel: 'N',
    previousNodeIds: [],
    status: 'FINISHED' as const,
    data: { id: 'n', name: 'n', output: { usageMetadata } as never },
  })

  it('adds tokens and cost of all steps', () => {
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3, total_cost: 0.5 }
    expect(totalUsage([item(usage), item(), item(usage)])).toMatchObject({ total_tokens: 6, total_cost: 1 })
  })

  it('says nothing of cost when no price is known, and nothing at all without a model', () => {
    expect(totalUsage([item({ input_tokens: 1, output_tokens: 1, total_tokens: 2 })])).not.toHaveProperty('total_cost')
    expect(totalUsage([item()])).toBeUndefined()
  })
})

describe('turnsOf', () => {
  it('pairs questions with answers and marks the unanswered one', () => {
    const turns = turnsOf([
      { id: '1', role: 'userMessage', content: 'a' },
      { id: '2', role: 'apiMessage', content: 'b', executionId: 'x' },
      { id: '3', role: 'userMessage', content: 'c', execution: { state: 'ERROR', error: 'broken' } },
    ])
    expect(turns.map((turn) => [turn.question, turn.answer.text, turn.answer.state, turn.answer.error])).toEqual([
      ['a', 'b', 'done', undefined],
      ['c', '', 'failed', 'broken'],
    ])
  })
})
