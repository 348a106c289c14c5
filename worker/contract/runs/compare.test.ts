import { describe, expect, it } from 'vitest'
import { type ComparableRun, compareRuns, stepDuration } from './compare.ts'
import type { StepOutput, TraceItem } from './events.ts'

const step = (path: string, output: StepOutput = {}, more: Partial<TraceItem> = {}): TraceItem => {
  const nodeId = path.split(/[#@]/)[0] as string
  return {
    nodeId,
    nodeLabel: nodeId.toUpperCase(),
    previousNodeIds: [],
    status: 'FINISHED',
    data: { id: nodeId, name: nodeId, output },
    path,
    ...more,
  }
}
const took = (delta: number) => ({ timeMetadata: { start: 0, end: delta, delta } })
const used = (total_tokens: number, total_cost?: number) => ({
  usageMetadata: { input_tokens: 0, output_tokens: total_tokens, total_tokens, total_cost },
})
const run = (trace: TraceItem[], more: Partial<ComparableRun> = {}): ComparableRun => ({
  state: 'FINISHED',
  trace,
  totalTokens: 0,
  totalCost: null,
  duration: 10,
  ...more,
})
const brief = (a: TraceItem[], b: TraceItem[]) =>
  compareRuns(run(a), run(b)).steps.map(({ path, kind, differences }) => [path, kind, differences.join(' ')])

describe('alignment', () => {
  it.each<[string, string[], string[], string[]]>([
    ['the same way', ['a', 'b'], ['a', 'b'], ['a same', 'b same']],
    [
      'another branch',
      ['a', 'left', 'end'],
      ['a', 'right', 'end'],
      ['a same', 'right onlyB', 'left onlyA', 'end same'],
    ],
    ['one went further', ['a'], ['a', 'b', 'c'], ['a same', 'b onlyB', 'c onlyB']],
    ['one ended earlier', ['a', 'b'], ['a'], ['a same', 'b onlyA']],
    ['another start', ['b'], ['a', 'b'], ['a onlyB', 'b same']],
    [
      'one more round',
      ['a', 'loop'],
      ['a', 'loop', 'a#1', 'loop#1'],
      ['a same', 'loop same', 'a#1 onlyB', 'loop#1 onlyB'],
    ],
    ['one more item', ['x@i[0]', 'i'], ['x@i[0]', 'x@i[1]', 'i'], ['x@i[0] same', 'x@i[1] onlyB', 'i same']],
    ['another order of completion', ['a', 'b', 'c'], ['a', 'c', 'b'], ['a same', 'b same', 'c same']],
    ['nothing at all', [], [], []],
  ])('aligns the steps of runs with %s', (_name, a, b, expected) => {
    const { steps } = compareRuns(run(a.map((path) => step(path))), run(b.map((path) => step(path))))
    expect(steps.map(({ path, kind }) => `${path} ${kind}`)).toEqual(expected)
  })

  it('tells whether both runs took the same path', () => {
    expect(compareRuns(run([step('a')]), run([step('a')])).isSamePath).toBe(true)
    expect(compareRuns(run([step('a')]), run([step('a'), step('b')])).isSamePath).toBe(false)
  })

  it('uses the last of several rows with one path', () => {
    const asked = step('h', { content: 'Shall I?' }, { status: 'STOPPED' })
    expect(brief([asked, step('h', { content: 'yes' })], [step('h', { content: 'yes' })])).toEqual([['h', 'same', '']])
  })
})

describe('differences', () => {
  it.each<[string, TraceItem, TraceItem, string, string]>([
    ['text', step('a', { content: 'x' }), step('a', { content: 'y' }), 'different', 'output'],
    ['data', step('a', { taken: 1 }), step('a', { taken: 2 }), 'different', 'output'],
    ['status and error', step('a', { content: 'x' }), failed('no key'), 'different', 'status output'],
    ['tokens', step('a', used(3)), step('a', used(5)), 'different', 'tokens'],
    ['cost', step('a', used(3, 0.1)), step('a', used(3, 0.2)), 'different', 'cost'],
    ['a price that one lacks', step('a', used(3, 0.1)), step('a', used(3)), 'different', 'cost'],
    ['time that is noticed', step('a', took(200)), step('a', took(900)), 'same', 'time'],
    ['time by a hair', step('a', took(3)), step('a', took(60)), 'same', ''],
    ['time by a small share', step('a', took(10_000)), step('a', took(10_900)), 'same', ''],
  ])('finds a difference in %s', (_name, a, b, kind, differences) => {
    expect(brief([a], [b])).toEqual([['a', kind, differences]])
  })

  it('compares the totals', () => {
    const a = run([step('a')], { totalTokens: 5, totalCost: 0.2, duration: 100 })
    const b = run([], { state: 'ERROR', totalTokens: 7, duration: null })
    expect(compareRuns(a, b).totals).toEqual({
      state: { a: 'FINISHED', b: 'ERROR' },
      steps: { a: 1, b: 0 },
      tokens: { a: 5, b: 7 },
      cost: { a: 0.2, b: null },
      duration: { a: 100, b: null },
    })
  })
})

it.each<[string, TraceItem, number | undefined]>([
  ['what the step tells itself', step('a', took(12)), 12],
  [
    'start and finish',
    step('a', {}, { startedAt: '2026-01-01T00:00:00.000Z', finishedAt: '2026-01-01T00:00:02.500Z' }),
    2500,
  ],
  ['nothing', step('a'), undefined],
])('a duration comes from %s', (_name, item, expected) => expect(stepDuration(item)).toBe(expected))

function failed(error: string): TraceItem {
  return step('a', {}, { status: 'ERROR', data: { id: 'a', name: 'a', error } })
}
