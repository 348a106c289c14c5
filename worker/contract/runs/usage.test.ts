import { describe, expect, it } from 'vitest'
import { addUsage, stepUsages, subtractUsage, sumUsage } from './usage.ts'

const tokens = (count: number) => ({ input_tokens: count, output_tokens: count, total_tokens: 2 * count })
const priced = (count: number, cost: number) => ({
  ...tokens(count),
  input_cost: cost,
  output_cost: cost,
  total_cost: 2 * cost,
})

describe('addUsage', () => {
  it('adds tokens and costs', () => {
    expect(addUsage(priced(1, 0.25), priced(2, 0.5))).toEqual(priced(3, 0.75))
    expect(addUsage(undefined, priced(1, 0.25))).toEqual(priced(1, 0.25))
  })

  it('leaves the cost out when no price is known', () => {
    expect(addUsage(tokens(1), tokens(2))).toEqual(tokens(3))
  })

  it('keeps the known cost and marks it as partial when one price is unknown', () => {
    const partial = { ...priced(1, 0.25), ...tokens(3), cost_is_partial: true }
    expect(addUsage(priced(1, 0.25), tokens(2))).toEqual(partial)
    expect(addUsage(tokens(2), priced(1, 0.25))).toEqual(partial)
  })

  it('keeps the mark of a partial cost in later sums', () => {
    expect(addUsage(addUsage(priced(1, 0.25), tokens(1)), priced(1, 0.25))).toMatchObject({ cost_is_partial: true })
  })

  it('does not mark the cost when the usage without a price has no tokens', () => {
    expect(addUsage(tokens(0), priced(1, 0.25))).toEqual(priced(1, 0.25))
  })
})

it('sumUsage returns undefined when nothing called a model', () => {
  expect(sumUsage([])).toBeUndefined()
  expect(sumUsage([priced(1, 0.25), tokens(1)])).toMatchObject({ total_tokens: 4, cost_is_partial: true })
})

it('subtractUsage returns what is not counted yet', () => {
  expect(subtractUsage(priced(3, 0.75), priced(1, 0.25))).toEqual({ ...tokens(2), total_cost: 1 })
  expect(subtractUsage(tokens(3), tokens(1))).toEqual(tokens(2))
})

it('stepUsages includes failed attempts', () => {
  const failedAttempts = [
    { error: 'x', at: '', usageMetadata: tokens(2) },
    { error: 'y', at: '' },
  ]
  const data = { id: 'n', name: 'n', output: { usageMetadata: tokens(1) }, failedAttempts }
  const item = { nodeId: 'n', nodeLabel: 'N', previousNodeIds: [], status: 'FINISHED' as const, data }
  expect(stepUsages(item)).toEqual([tokens(1), tokens(2)])
})
