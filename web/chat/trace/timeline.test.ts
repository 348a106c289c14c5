import { expect, it } from 'vitest'
import type { TraceItem } from '#contract/runs/events.ts'
import { timeline } from './timeline.ts'

const at = (ms: number) => new Date(1_700_000_000_000 + ms).toISOString()
const step = (path: string, start?: number, end?: number): TraceItem => ({
  nodeId: path,
  nodeLabel: path,
  previousNodeIds: [],
  status: 'FINISHED',
  data: { id: path, name: path },
  path,
  ...(start !== undefined && end !== undefined && { startedAt: at(start), finishedAt: at(end) }),
})

it.each<[string, TraceItem[], [string, number, number][]]>([
  [
    'in sequence',
    [step('a', 0, 250), step('b', 250, 1000)],
    [
      ['a', 0, 0.25],
      ['b', 0.25, 0.75],
    ],
  ],
  [
    'in parallel',
    [step('a', 0, 1000), step('b', 500, 1000)],
    [
      ['a', 0, 1],
      ['b', 0.5, 0.5],
    ],
  ],
  [
    'with days of waiting in between',
    [step('a', 0, 500), step('b', 300_000_000, 300_000_500)],
    [
      ['a', 0, 0.5],
      ['b', 0.5, 0.5],
    ],
  ],
  ['without times', [step('a'), step('b', 0, 10)], [['b', 0, 1]]],
  ['without duration', [step('a', 5, 5)], []],
  ['of an empty trace', [], []],
])('computes the bars of steps %s', (_name, trace, expected) => {
  expect([...timeline(trace)].map(([path, { start, length }]) => [path, start, length])).toEqual(expected)
})
