import { describe, expect, it } from 'vitest'
import { noLimits } from '#contract/runs/limits.ts'
import { countingLimit, limitsOf, textsOf, wrongLimits } from './limit-texts.ts'

const empty = textsOf(noLimits)

it('reads limits back from their texts, and an empty text as no limit', () => {
  expect(empty).toEqual({ maxTokens: '', maxCost: '', maxSteps: '', maxSeconds: '' })
  expect(limitsOf(empty)).toEqual(noLimits)
  const limits = { ...noLimits, maxCost: 0.25, maxSteps: 40 }
  expect(limitsOf(textsOf(limits))).toEqual(limits)
  expect(limitsOf({ ...empty, maxSeconds: ' 90 ' })).toEqual({ ...noLimits, maxSeconds: 90 })
})

describe('wrongLimits', () => {
  it.each([
    ['maxTokens', 'many', 'Tokens: enter a number above 0, or leave it empty.'],
    ['maxCost', '-1', 'Cost (US dollars): enter a number above 0, or leave it empty.'],
    ['maxSteps', '1.5', 'Steps: enter a whole number above 0, or leave it empty.'],
    ['maxSeconds', '0', 'Seconds: enter a number above 0, or leave it empty.'],
  ])('%s: %s', (name, text, said) =>
    expect(wrongLimits({ ...empty, [name]: text }, 'flow')).toEqual({ [`flow.${name}`]: said }),
  )

  it('accepts numbers and empty fields', () =>
    expect(wrongLimits({ ...empty, maxTokens: '1000', maxCost: '0.5' }, 'workspace')).toEqual({}))
})

it.each([
  ['100', '', 100],
  ['100', '200', 100],
  ['100', '100', null],
  ['100', '50', null],
  ['', '50', null],
  ['soon', '50', null],
])('for a workspace limit %j and a flow limit %j, the applied workspace limit is %s', (workspace, flow, counts) =>
  expect(countingLimit(workspace, flow)).toBe(counts),
)
