import { expect, test } from 'vitest'
import { runStep } from '../testing/steps.ts'
import { loop } from './loop.ts'

const rounds = async (maxLoopCount: unknown) => {
  const { result } = await runStep(loop, { loopBackToNode: 'llmAgentflow_0-LLM 0', maxLoopCount })
  return result.output.maxLoopCount
}

test.each([
  [3, 3],
  ['3', 3],
  ['', 5],
  [null, 5],
  [0, 5],
  [undefined, 5],
])('a Max loop count of %j lets the nodes run %i times', async (count, expected) => {
  expect(await rounds(count)).toBe(expected)
})
