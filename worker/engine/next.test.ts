import { expect, test } from 'vitest'
import type { StepStatus } from '#contract/events.ts'
import type { Logged } from './log-rows.ts'
import { next } from './next.ts'
import { compile, type Plan } from './plan.ts'
import { catalogueOf, drawFlow, nodeType } from './testing/flows.ts'

const nothing = () => ({ input: {}, output: {} })
const types = catalogueOf(
  nodeType('start', nothing),
  nodeType('step', nothing),
  nodeType('loop', nothing),
  nodeType('choose', nothing, {
    outputs: [
      { label: '0', name: '0' },
      { label: '1', name: '1' },
    ],
  }),
)

/** `a>b`, `a>1:b`, the error branch `a>error:b`; `loop_0>>a` goes back to a, `?a` joins at the first branch. */
function planOf(...drawn: string[]): Plan {
  const jumps = new Map(drawn.filter((text) => text.includes('>>')).map((text) => text.split('>>') as [string, string]))
  const first = new Set(drawn.filter((text) => text.startsWith('?')).map((text) => text.slice(1)))
  const arrows = drawn.filter((text) => !text.includes('>>') && !text.startsWith('?'))
  const ids = new Set(arrows.flatMap((arrow) => arrow.split(/>(?:\w+:)?/)))
  const flow = drawFlow(
    Object.fromEntries([...ids].map((id) => [id, { loopBackToNode: `${jumps.get(id)}-X` }])),
    arrows,
  )
  for (const { id, data } of flow.nodes) if (first.has(id)) data.runPolicy = { join: 'any' }
  return compile(flow, types)
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
const once = ['start_0>step_0', 'step_0>choose_0', 'choose_0>0:loop_0', 'choose_0>1:step_1', 'loop_0>>step_0']
const nested = [
  ...['start_0>step_0', 'step_0>step_1', 'step_1>choose_0', 'choose_0>0:loop_0', 'choose_0>1:choose_1'],
  ...['choose_1>0:loop_1', 'choose_1>1:step_2', 'loop_0>>step_1', 'loop_1>>step_0'],
]
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
  [
    'an error branch is closed while all goes well',
    ['start_0>step_0', 'start_0>error:step_1'],
    log('start_0'),
    ['step_0'],
    ['step_1'],
  ],
  [
    'a failed step takes its error branch alone',
    ['start_0>step_0', 'start_0>error:step_1'],
    log('start_0:-1'),
    ['step_1'],
    ['step_0'],
  ],
  [
    'a join below steps that all have error branches runs',
    [
      'start_0>step_0',
      'start_0>step_1',
      ...['step_0', 'step_1'].flatMap((id) => [`${id}>step_2`, `${id}>error:step_3`]),
    ],
    log('start_0', 'step_0', 'step_1'),
    ['step_2'],
    ['step_3'],
  ],
  [
    'both the join and what catches errors run when one branch failed',
    [
      'start_0>step_0',
      'start_0>step_1',
      ...['step_0', 'step_1'].flatMap((id) => [`${id}>step_2`, `${id}>error:step_3`]),
    ],
    log('start_0', 'step_0:-1', 'step_1'),
    ['step_2', 'step_3'],
    [],
  ],
  [
    'a join below a branch with a decision waits for it',
    [
      'start_0>step_0',
      'start_0>choose_0',
      'choose_0>0:step_1',
      'choose_0>1:step_2',
      'step_0>step_3',
      'step_1>step_3',
      'step_2>step_3',
    ],
    log('start_0', 'step_0', 'choose_0:1'),
    ['step_2'],
    ['step_1'],
  ],
  [
    'what follows nested parallel branches runs once',
    [...diamond, 'step_2>step_3', 'step_2>step_4', 'step_3>step_5', 'step_4>step_5'],
    log('start_0', 'step_0', 'step_1', 'step_2', 'step_4', 'step_3'),
    ['step_5'],
    [],
  ],
  [
    'a join of any starts at the first branch',
    [...diamond, '?step_2'],
    log('start_0', 'step_1'),
    ['step_0', 'step_2'],
    [],
  ],
  ['what comes later does nothing', [...diamond, '?step_2'], log('start_0', 'step_1', 'step_2', 'step_0'), [], []],
  [
    'a join of any does not start at a dead branch',
    [...choice, '?step_2'],
    log('start_0', 'choose_0:1'),
    ['step_1'],
    ['step_0'],
  ],
  [
    'a join of any is skipped when all are dead',
    [...choice, '?step_2'],
    log('start_0', 'choose_0:'),
    [],
    ['step_0', 'step_1', 'step_2'],
  ],
  ['a step that waits for a person lets the others go on', diamond, log('start_0', 'step_0!'), ['step_1'], []],
  ['an answered step runs again', diamond, log('start_0', 'step_0!', 'step_1', 'step_0?'), ['step_0'], []],
  [
    'only the chosen side of an approval runs',
    choice,
    log('start_0', 'choose_0!', 'choose_0?', 'choose_0:0'),
    ['step_0'],
    ['step_1'],
  ],
  ['a failed step runs again', diamond, log('start_0', 'step_0~'), ['step_0', 'step_1'], []],
  ['a row of a step that was not due counts for nothing', diamond, log('step_2', 'start_0'), ['step_0', 'step_1'], []],
  ['a loop goes back', once, log('start_0', 'step_0', 'choose_0:0', 'loop_0:'), ['step_0#1'], []],
  [
    'in its new round all is judged anew',
    once,
    log('start_0', 'step_0', 'choose_0:0', 'loop_0:', 'step_0#1', 'choose_0#1:1'),
    ['step_1#1'],
    ['loop_0#1'],
  ],
  [
    'a row of an old round counts for nothing',
    once,
    log('start_0', 'step_0', 'choose_0:0', 'loop_0:', 'step_0'),
    ['step_0#1'],
    [],
  ],
  [
    'a loop at its end goes on',
    [...once, 'loop_0>step_2'],
    log('start_0', 'step_0', 'choose_0:0', 'loop_0'),
    ['step_2'],
    ['step_1'],
  ],
  [
    'a loop that goes back takes no output',
    [...once, 'loop_0>step_2'],
    log('start_0', 'step_0', 'choose_0:0', 'loop_0:'),
    ['step_0#1'],
    [],
  ],
  [
    'a jump waits for what runs below its target',
    ['start_0>step_0', 'step_0>loop_0', 'step_0>step_1', 'step_1>step_2', 'loop_0>>step_0'],
    log('start_0', 'step_0', 'loop_0:', 'step_1'),
    ['step_2'],
    [],
  ],
  [
    'it waits for a join below its target whose other branch is slow',
    ['start_0>step_0', 'start_0>step_1', 'step_0>loop_0', 'step_0>step_2', 'step_1>step_2', 'loop_0>>step_0'],
    log('start_0', 'step_0', 'loop_0:'),
    ['step_1'],
    [],
  ],
  [
    'it does not wait for a branch that it does not touch',
    ['start_0>step_0', 'start_0>step_1', 'step_0>loop_0', 'loop_0>>step_0'],
    log('start_0', 'step_0', 'loop_0:'),
    ['step_0#1', 'step_1'],
    [],
  ],
  [
    'it waits for a person below its target',
    ['start_0>step_0', 'step_0>loop_0', 'step_0>step_1', 'loop_0>>step_0'],
    log('start_0', 'step_0', 'loop_0:', 'step_1!'),
    [],
    [],
  ],
  [
    'two loops that go back to one node go back once',
    ['start_0>step_0', 'step_0>loop_0', 'step_0>loop_1', 'loop_0>>step_0', 'loop_1>>step_0'],
    log('start_0', 'step_0', 'loop_0:', 'loop_1:'),
    ['step_0#1'],
    [],
  ],
  [
    'of two loops the one with the deeper target goes first',
    ['start_0>step_0', 'step_0>step_1', 'step_1>loop_0', 'step_1>loop_1', 'loop_0>>step_0', 'loop_1>>step_1'],
    log('start_0', 'step_0', 'step_1', 'loop_0:', 'loop_1:'),
    ['step_1#1'],
    [],
  ],
  [
    'an inner loop runs on in its own rounds',
    nested,
    log(
      'start_0',
      'step_0',
      'step_1',
      'choose_0:0',
      'loop_0:',
      'step_1#1',
      'choose_0#1:1',
      'choose_1#1:0',
      'loop_1#1:',
    ),
    ['step_0#1'],
    [],
  ],
  [
    'in a new round a join of any starts at what comes in that round',
    [
      'start_0>step_0',
      'start_0>step_1',
      'step_0>step_2',
      'step_1>step_2',
      '?step_2',
      'step_0>loop_0',
      'loop_0>>step_0',
    ],
    log('start_0', 'step_1', 'step_2', 'step_0', 'loop_0:'),
    ['step_0#1'],
    [],
  ],
])('%s', (_name, arrows, done, ready, skipped) => {
  const plan = planOf(...arrows)
  const result = next(plan, done)
  expect(new Set(result.ready)).toEqual(new Set(ready))
  expect(new Set(result.skipped)).toEqual(new Set(skipped))
  expect(result.finished).toBe(ready.length + result.waiting.length === 0)
})
