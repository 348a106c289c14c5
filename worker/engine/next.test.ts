import { expect, test } from 'vitest'
import type { StepStatus } from '#contract/events.ts'
import { next } from './next.ts'
import { compile, type Plan } from './plan.ts'
import type { Logged } from './rows.ts'
import { catalogueOf, drawFlow, nodeType } from './testing.ts'

const nothing = () => ({ input: {}, output: {} })
const types = catalogueOf(
  nodeType('start', nothing),
  nodeType('step', nothing),
  nodeType('choose', nothing, {
    outputs: [
      { label: '0', name: '0' },
      { label: '1', name: '1' },
    ],
  }),
)

function planOf(...arrows: string[]): Plan {
  const ids = new Set(arrows.flatMap((arrow) => arrow.split(/>(?:\d+:)?/)))
  return compile(drawFlow(Object.fromEntries([...ids].map((id) => [id, {}])), arrows), types)
}

/** `choose_0:1` took output 1 alone, `choose_0:` none; `step_0!` waits for a person, `step_0?` was answered, `step_0~` failed. */
const log = (...entries: string[]): Logged[] =>
  entries.map((entry) => {
    const [, path = '', mark, taken] = /^([^:!?~]+)([:!?~]?)(.*)$/.exec(entry) ?? []
    const status: StepStatus = mark === '!' || mark === '?' ? 'STOPPED' : mark === '~' ? 'ERROR' : 'FINISHED'
    const nodeId = path.split(/[#@]/)[0] ?? ''
    const answer = mark === '?' ? { type: 'proceed' as const } : undefined
    const data = { id: nodeId, name: nodeId, ...(answer && { answer }) }
    const item = { nodeId, nodeLabel: nodeId, previousNodeIds: [], status, data }
    return { path, nodeId, takenOutputs: mark === ':' ? (taken ? [Number(taken)] : []) : null, item }
  })

const diamond = ['start_0>step_0', 'start_0>step_1', 'step_0>step_2', 'step_1>step_2']
const choice = ['start_0>choose_0', 'choose_0>0:step_0', 'choose_0>1:step_1', 'step_0>step_2', 'step_1>step_2']

test.each([
  ['the start first', diamond, log(), ['start_0'], []],
  ['all branches at once', diamond, log('start_0'), ['step_0', 'step_1'], []],
  ['a join waits for the slow branch', diamond, log('start_0', 'step_1'), ['step_0'], []],
  ['a join runs when all have come', diamond, log('start_0', 'step_1', 'step_0'), ['step_2'], []],
  ['nothing is left', diamond, log('start_0', 'step_0', 'step_1', 'step_2'), [], []],
  ['only the taken branch', choice, log('start_0', 'choose_0:1'), ['step_1'], ['step_0']],
  [
    'a join behind a decision does not wait for the dead branch',
    choice,
    log('start_0', 'choose_0:0', 'step_0'),
    ['step_2'],
    ['step_1'],
  ],
  [
    'no output taken: everything behind is skipped',
    choice,
    log('start_0', 'choose_0:'),
    [],
    ['step_0', 'step_1', 'step_2'],
  ],
  [
    'all targets of a taken output, none of the others',
    ['start_0>choose_0', 'choose_0>0:step_0', 'choose_0>0:step_1', 'choose_0>1:step_2', 'choose_0>1:step_3'],
    log('start_0', 'choose_0:1'),
    ['step_2', 'step_3'],
    ['step_0', 'step_1'],
  ],
  [
    'a target shared by a taken and an untaken output',
    ['start_0>choose_0', 'choose_0>0:step_0', 'choose_0>1:step_0'],
    log('start_0', 'choose_0:1'),
    ['step_0'],
    [],
  ],
  [
    'a join waits for a decision that may still reach it',
    ['start_0>step_0', 'start_0>step_1', 'step_1>choose_0', 'choose_0>0:step_2', 'choose_0>1:step_3', 'step_0>step_2'],
    log('start_0', 'step_0'),
    ['step_1'],
    [],
  ],
  [
    'skipping goes on through several nodes and stops at a live join',
    ['start_0>choose_0', 'choose_0>0:step_0', 'step_0>step_1', 'step_1>step_2', 'choose_0>1:step_2', 'step_1>step_3'],
    log('start_0', 'choose_0:1'),
    ['step_2'],
    ['step_0', 'step_1', 'step_3'],
  ],
])('%s', (_name, arrows, done, ready, skipped) => {
  const plan = planOf(...arrows)
  const result = next(plan, done)
  expect(new Set(result.ready)).toEqual(new Set(ready))
  expect(new Set(result.skipped)).toEqual(new Set(skipped))
  expect(result.finished).toBe(ready.length === 0)
})
