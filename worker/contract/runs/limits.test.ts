import { expect, it } from 'vitest'
import { limitMessage, lowerLimits, noLimits } from './limits.ts'

it('lets the lower of two settings count, and any over none', () => {
  const a = { maxTokens: 5, maxCost: null, maxSteps: 9, maxSeconds: null }
  const b = { maxTokens: 7, maxCost: 0.5, maxSteps: 2, maxSeconds: null }
  expect(lowerLimits(a, b)).toEqual({ maxTokens: 5, maxCost: 0.5, maxSteps: 2, maxSeconds: null })
})

const tokens = (maxTokens: number | null) => ({ ...noLimits, maxTokens })

it.each([
  [tokens(1000), tokens(null), undefined, 'the limit of 1,000 tokens that is set on this flow'],
  [tokens(1000), tokens(2000), undefined, 'the limit of 1,000 tokens that is set on this flow'],
  [tokens(1000), tokens(200), undefined, 'the limit of 200 tokens that is set for this workspace'],
  [tokens(null), tokens(200), undefined, 'the limit of 200 tokens that is set for this workspace'],
  [tokens(1000), tokens(null), tokens(10), 'the run which called it'],
  [tokens(10), tokens(null), tokens(1000), 'set on this flow'],
  [tokens(null), tokens(null), undefined, 'any run'],
])('a stopped run says where its limit is set: %#', (flow, workspace, left, words) => {
  expect(limitMessage('tokens', { flow, workspace }, left)).toContain(words)
})

it('keeps the cents of a cost', () => {
  const message = limitMessage('cost', { flow: { ...noLimits, maxCost: 0.25 }, workspace: noLimits })
  expect(message).toContain('0.25 US dollars')
})
