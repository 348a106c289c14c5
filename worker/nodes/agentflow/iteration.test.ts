import { expect, test } from 'vitest'
import type { StepContext } from '../types.ts'
import { iteration } from './iteration.ts'

test('the trace of an iteration shows the parsed list', () => {
  const context = { inputs: { iterationInput: '[1, {"a": 2}]' } } as unknown as StepContext
  expect(iteration.team?.begin(context).input).toEqual({ iterationInput: [1, { a: 2 }] })
})
