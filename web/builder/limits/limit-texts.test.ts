import { describe, expect, it } from 'vitest'
import { noLimits } from '#contract/limits.ts'
import { countingLimit, limitsOf, textsOf, wrongLimits } from './limit-texts.ts'

const empty = textsOf(noLimits)

it('reads what it wrote; an empty field is no limit', () => {
  expect(empty).toEqual({ maxTokens: '', maxCost: '', maxSteps: '', maxSeconds: '' })
  expect(limitsOf(empty)).toEqual(noLimits)
  const limits = { ...noLimits, maxCost: 0.25, maxSteps: 40 }
  expect(limitsOf(textsOf(limits))).toEqual(limits)
  expect(limitsOf({ ...empty, maxSeconds: ' 90 ' })).toEqual({ ...noLimits, maxSeconds: 90 })
})

describe('what cannot be a limit', () => {
  it.each([
    ['maxTokens', 'many', 'Tokens: enter a number above 0, or nothing.'],
    ['maxCost', '-1', 'Cost in US dollars: enter a number above 0, or nothing.'],
    ['maxSteps', '1.5', 'Steps: enter a whole number above 0, or nothing.'],
    ['maxSeconds', '0', 'Seconds: enter a number above 0, or nothing.'],
  ])('%s: %s', (name, text, said) =>
    expect(wrongLimits({ ...empty, [name]: text }, 'flow')).toEqual({ [`flow.${name}`]: said }),
  )

  it('finds nothing wrong in numbers and in empty fields', () =>
    expect(wrongLimits({ ...empty, maxTokens: '1000', maxCost: '0.5' }, 'workspace')).toEqual({}))
})

it.each([
  ['100', '', 100],
  ['100', '200', 100],
  ['100', '100', null],
  ['100', '50', null],
  ['', '50', null],
  ['soon', '50', null],
])('of a workspace with %j and a flow with %j the first counts: %s', (workspace, flow, counts) =>
  expect(countingLimit(workspace, flow)).toBe(counts),
)
