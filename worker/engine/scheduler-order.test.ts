import { expect, it } from 'vitest'
import { stepPath } from '#contract/runs/step-paths.ts'
import type { Plan, PlanNode } from './plan.ts'
import { type Phase, Scheduler } from './scheduler.ts'
import { catalogueOf, compileFlow, drawFlow, nodeType } from './testing/flows.ts'

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
  return compileFlow(flow, types)
}

/** Events: `choose_0:1` took output 1 alone, `choose_0:` none; `step_0!` waits for a person, `step_0?` was answered. */
function schedule(plan: Plan, events: string[]): Scheduler {
  const scheduler = new Scheduler(plan)
  for (const event of events) {
    const [, path = '', mark, taken] = /^([^:!?]+)([:!?]?)(.*)$/.exec(event) ?? []
    const node = plan.byId.get(path.split('#')[0] ?? '') as PlanNode
    expect(pathNow(scheduler, node)).toBe(path)
    if (mark === '!') scheduler.wait(node)
    else if (mark === '?') scheduler.answer(node)
    else scheduler.finish(node, mark === ':' ? (taken ? [Number(taken)] : []) : null)
  }
  return scheduler
}

const pathNow = (scheduler: Scheduler, node: PlanNode) => stepPath(node.id, scheduler.round(node))

const diamond = ['start_0>step_0', 'start_0>step_1', 'step_0>step_2', 'step_1>step_2']
const once = ['start_0>step_0', 'step_0>choose_0', 'choose_0>0:loop_0', 'choose_0>1:step_1', 'loop_0>>step_0']
const nested = [
  ...['start_0>step_0', 'step_0>step_1', 'step_1>choose_0', 'choose_0>0:loop_0', 'choose_0>1:choose_1'],
  ...['choose_1>0:loop_1', 'choose_1>1:step_2', 'loop_0>>step_1', 'loop_1>>step_0'],
]
const choice = ['start_0>choose_0', 'choose_0>0:step_0', 'choose_0>1:step_1', 'step_0>step_2', 'step_1>step_2']

it.each<[string, string[], string[], string[], string[]]>([
  ['runs the start node first', diamond, [], ['start_0'], []],
  ['runs all branches at once', diamond, ['start_0'], ['step_0', 'step_1'], []],
  ['lets a join wait for the slow branch', diamond, ['start_0', 'step_1'], ['step_0'], []],
  ['runs a join when all its branches have arrived', diamond, ['start_0', 'step_1', 'step_0'], ['step_2'], []],
  ['is done when every step has finished', diamond, ['start_0', 'step_0', 'step_1', 'step_2'], [], []],
  ['runs only the taken branch', choice, ['start_0', 'choose_0:1'], ['step_1'], ['step_0']],
  [
    'does not let a join behind a decision wait for the dead branch',
    choice,
    ['start_0', 'choose_0:0', 'step_0'],
    ['step_2'],
    ['step_1'],
  ],
  [
    'skips everything behind a decision that takes no output',
    choice,
    ['start_0', 'choose_0:'],
    [],
    ['step_0', 'step_1', 'step_2'],
  ],
  [
    'runs all targets of a taken output, none of the others',
    ['start_0>choose_0', 'choose_0>0:step_0', 'choose_0>0:step_1', 'choose_0>1:step_2', 'choose_0>1:step_3'],
    ['start_0', 'choose_0:1'],
    ['step_2', 'step_3'],
    ['step_0', 'step_1'],
  ],
  [
    'runs a target that a taken and an untaken output share',
    ['start_0>choose_0', 'choose_0>0:step_0', 'choose_0>1:step_0'],
    ['start_0', 'choose_0:1'],
    ['step_0'],
    [],
  ],
  [
    'lets a join wait for a decision that may still reach it',
    ['start_0>step_0', 'start_0>step_1', 'step_1>choose_0', 'choose_0>0:step_2', 'choose_0>1:step_3', 'step_0>step_2'],
    ['start_0', 'step_0'],
    ['step_1'],
    [],
  ],
  [
    'skips a dead branch node by node up to a live join',
    ['start_0>choose_0', 'choose_0>0:step_0', 'step_0>step_1', 'step_1>step_2', 'choose_0>1:step_2', 'step_1>step_3'],
    ['start_0', 'choose_0:1'],
    ['step_2'],
    ['step_0', 'step_1', 'step_3'],
  ],
  [
    'skips the error branch of a step that succeeds',
    ['start_0>step_0', 'start_0>error:step_1'],
    ['start_0'],
    ['step_0'],
    ['step_1'],
  ],
  [
    'runs only the error branch of a step that fails',
    ['start_0>step_0', 'start_0>error:step_1'],
    ['start_0:-1'],
    ['step_1'],
    ['step_0'],
  ],
  [
    'runs a join below steps that all have error branches',
    [
      'start_0>step_0',
      'start_0>step_1',
      ...['step_0', 'step_1'].flatMap((id) => [`${id}>step_2`, `${id}>error:step_3`]),
    ],
    ['start_0', 'step_0', 'step_1'],
    ['step_2'],
    ['step_3'],
  ],
  [
    'runs both the join and the error branch when one branch fails',
    [
      'start_0>step_0',
      'start_0>step_1',
      ...['step_0', 'step_1'].flatMap((id) => [`${id}>step_2`, `${id}>error:step_3`]),
    ],
    ['start_0', 'step_0:-1', 'step_1'],
    ['step_2', 'step_3'],
    [],
  ],
  [
    'lets a join wait for a branch that holds a decision',
    [
      'start_0>step_0',
      'start_0>choose_0',
      'choose_0>0:step_1',
      'choose_0>1:step_2',
      'step_0>step_3',
      'step_1>step_3',
      'step_2>step_3',
    ],
    ['start_0', 'step_0', 'choose_0:1'],
    ['step_2'],
    ['step_1'],
  ],
  [
    'runs a step behind nested parallel branches once',
    [...diamond, 'step_2>step_3', 'step_2>step_4', 'step_3>step_5', 'step_4>step_5'],
    ['start_0', 'step_0', 'step_1', 'step_2', 'step_4', 'step_3'],
    ['step_5'],
    [],
  ],
  ['runs a join of any at the first branch', [...diamond, '?step_2'], ['start_0', 'step_1'], ['step_0', 'step_2'], []],
  [
    'ignores branches that reach a join of any later',
    [...diamond, '?step_2'],
    ['start_0', 'step_1', 'step_2', 'step_0'],
    [],
    [],
  ],
  [
    'does not run a join of any for a dead branch',
    [...choice, '?step_2'],
    ['start_0', 'choose_0:1'],
    ['step_1'],
    ['step_0'],
  ],
  [
    'skips a join of any when all its branches are dead',
    [...choice, '?step_2'],
    ['start_0', 'choose_0:'],
    [],
    ['step_0', 'step_1', 'step_2'],
  ],
  ['runs the other branches while a step waits for a person', diamond, ['start_0', 'step_0!'], ['step_1'], []],
  ['runs an answered step again', diamond, ['start_0', 'step_0!', 'step_1', 'step_0?'], ['step_0'], []],
  [
    'runs only the chosen side of an approval',
    choice,
    ['start_0', 'choose_0!', 'choose_0?', 'choose_0:0'],
    ['step_0'],
    ['step_1'],
  ],
  ['runs the target of a loop again', once, ['start_0', 'step_0', 'choose_0:0', 'loop_0:'], ['step_0#1'], []],
  [
    'decides every branch anew in a new round',
    once,
    ['start_0', 'step_0', 'choose_0:0', 'loop_0:', 'step_0#1', 'choose_0#1:1'],
    ['step_1#1'],
    ['loop_0#1'],
  ],
  [
    'continues behind a loop that has ended',
    [...once, 'loop_0>step_2'],
    ['start_0', 'step_0', 'choose_0:0', 'loop_0'],
    ['step_2'],
    ['step_1'],
  ],
  [
    'runs nothing behind a loop that goes back',
    [...once, 'loop_0>step_2'],
    ['start_0', 'step_0', 'choose_0:0', 'loop_0:'],
    ['step_0#1'],
    [],
  ],
  [
    'lets a jump wait for steps that run below its target',
    ['start_0>step_0', 'step_0>loop_0', 'step_0>step_1', 'step_1>step_2', 'loop_0>>step_0'],
    ['start_0', 'step_0', 'loop_0:', 'step_1'],
    ['step_2'],
    [],
  ],
  [
    'lets a jump wait for a join below its target whose other branch is slow',
    ['start_0>step_0', 'start_0>step_1', 'step_0>loop_0', 'step_0>step_2', 'step_1>step_2', 'loop_0>>step_0'],
    ['start_0', 'step_0', 'loop_0:'],
    ['step_1'],
    [],
  ],
  [
    'does not let a jump wait for a branch outside the loop',
    ['start_0>step_0', 'start_0>step_1', 'step_0>loop_0', 'loop_0>>step_0'],
    ['start_0', 'step_0', 'loop_0:'],
    ['step_0#1', 'step_1'],
    [],
  ],
  [
    'lets a jump wait for a person below its target',
    ['start_0>step_0', 'step_0>loop_0', 'step_0>step_1', 'loop_0>>step_0'],
    ['start_0', 'step_0', 'loop_0:', 'step_1!'],
    [],
    [],
  ],
  [
    'goes back once for two loops with the same target',
    ['start_0>step_0', 'step_0>loop_0', 'step_0>loop_1', 'loop_0>>step_0', 'loop_1>>step_0'],
    ['start_0', 'step_0', 'loop_0:', 'loop_1:'],
    ['step_0#1'],
    [],
  ],
  [
    'goes back to the deeper of two targets first',
    ['start_0>step_0', 'step_0>step_1', 'step_1>loop_0', 'step_1>loop_1', 'loop_0>>step_0', 'loop_1>>step_1'],
    ['start_0', 'step_0', 'step_1', 'loop_0:', 'loop_1:'],
    ['step_1#1'],
    [],
  ],
  [
    'goes back to an outer target from a round of the inner loop',
    nested,
    ['start_0', 'step_0', 'step_1', 'choose_0:0', 'loop_0:', 'step_1#1', 'choose_0#1:1', 'choose_1#1:0', 'loop_1#1:'],
    ['step_0#1'],
    [],
  ],
  [
    'runs a join of any in a new round at the first branch of that round',
    [
      'start_0>step_0',
      'start_0>step_1',
      'step_0>step_2',
      'step_1>step_2',
      '?step_2',
      'step_0>loop_0',
      'loop_0>>step_0',
    ],
    ['start_0', 'step_1', 'step_2', 'step_0', 'loop_0:'],
    ['step_0#1'],
    [],
  ],
])('%s', (_name, arrows, events, ready, skipped) => {
  const plan = planOf(...arrows)
  const scheduler = schedule(plan, events)
  const pathsIn = (phase: Phase) =>
    new Set(plan.nodes.filter((node) => scheduler.phase(node) === phase).map((node) => pathNow(scheduler, node)))
  expect(pathsIn('ready')).toEqual(new Set(ready))
  expect(pathsIn('skipped')).toEqual(new Set(skipped))
  expect(scheduler.isDone).toBe(ready.length + pathsIn('waiting').size === 0)
})
