import { describe, expect, it } from 'vitest'
import { emptyAnswer } from '../conversation.ts'
import { emptyText, needsCredential } from './next-step.ts'

it.each([
  ['Agent: Incorrect API key provided (HTTP 401)', true],
  ['LLM: Forbidden (HTTP 403)', true],
  ['LLM: Choose a credential', true],
  ['LLM: The model ran out of yarn (HTTP 400)', false],
  [undefined, false],
])('%s needs a credential: %s', (error, needed) => {
  expect(needsCredential(error)).toBe(needed)
})

describe('an answer that says nothing', () => {
  const mark = { nodeId: 'start_0', nodeLabel: 'Start', status: 'FINISHED' as const }
  const done = { ...emptyAnswer(), state: 'done' as const }

  it('says what to do when only Start ran', () => {
    expect(emptyText({ ...done, steps: [mark] })).toContain('Connect a node to Start')
    expect(emptyText({ ...done, text: ' ', stepCount: 1 })).toContain('Connect a node to Start')
  })

  it('only says so when other steps ran', () => {
    expect(emptyText({ ...done, steps: [mark, mark] })).toBe('The flow ended without an answer.')
  })

  it('is silent about answers with content, and while the run works', () => {
    expect(emptyText({ ...done, text: 'Hi' })).toBeUndefined()
    expect(emptyText({ ...done, artifacts: [{ type: 'png', data: '' }] })).toBeUndefined()
    expect(emptyText({ ...done, requested: { nodeLabel: 'Agent', calls: [] } })).toBeUndefined()
    expect(emptyText(emptyAnswer())).toBeUndefined()
  })
})
