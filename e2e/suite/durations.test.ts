import { describe, expect, it } from 'vitest'
import { findOverLimit, findStaleExceptions, type Limit, printSlowest, sumByFile } from './durations.ts'

const quick = { file: 'a.test.ts', title: 'adds > small numbers', seconds: 0.1 }
const slow = { file: 'a.test.ts', title: 'adds > large numbers', seconds: 2.5 }
const other = { file: 'b.test.ts', title: 'adds > large numbers', seconds: 3 }
const limitedTo = (...exceptions: Limit['exceptions']): Limit => ({ seconds: 2, exceptions })

describe('the limit of a stage', () => {
  it('finds the tests that take longer', () => {
    expect(findOverLimit([quick, slow, other], limitedTo())).toEqual([slow, other])
  })

  it('allows a listed test, found by its file and the beginning of its title, to take longer', () => {
    const limit = limitedTo({ file: 'a.test.ts', title: 'adds > large', reason: 'It adds a million of them.' })
    expect(findOverLimit([quick, slow, other], limit)).toEqual([other])
  })

  it('finds the exceptions of tests that are gone', () => {
    const [kept, gone] = [
      { file: 'a.test.ts', title: 'adds > large', reason: 'It adds a million of them.' },
      { file: 'a.test.ts', title: 'subtracts', reason: 'It subtracts a million of them.' },
    ]
    expect(findStaleExceptions([quick, slow], limitedTo(kept, gone))).toEqual([gone])
  })
})

describe('the summary', () => {
  it('sums the tests of a file, the slowest file first', () => {
    expect(sumByFile([quick, slow, other])).toEqual([
      { file: 'b.test.ts', seconds: 3 },
      { file: 'a.test.ts', seconds: 2.6 },
    ])
  })

  it('names as many tests and files as it is asked for', () => {
    expect(printSlowest([quick, slow, other], 1).split('\n')).toEqual([
      'The 1 slowest tests:',
      '    3.0 s  b.test.ts > adds > large numbers',
      '',
      'The 1 slowest files:',
      '    3.0 s  b.test.ts',
    ])
  })
})
