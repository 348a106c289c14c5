import { expect, test } from 'vitest'
import type { Plan } from './plan.ts'
import { Scheduler } from './scheduler.ts'
import { catalogueOf, compileFlow, drawFlow, nodeType } from './testing/flows.ts'

const nothing = () => ({ input: {}, output: {} })
const types = catalogueOf(nodeType('start', nothing), nodeType('step', nothing), nodeType('loop', nothing))

function planOf(arrows: string[], loops: Record<string, string> = {}): Plan {
  const ids = ['start_0', ...new Set(arrows.flatMap((arrow) => arrow.split('>')).filter((id) => id !== 'start_0'))]
  const inputs = (id: string) => ({ loopBackToNode: `${loops[id]}-X` })
  return compileFlow(drawFlow(Object.fromEntries(ids.map((id) => [id, inputs(id)])), arrows), types)
}

const chain = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index === 0 ? 'start_0' : `step_${index - 1}`}>step_${index}`)

/** Arrays that count accesses to their elements. */
function counting(plan: Plan) {
  const seen = { count: 0 }
  const counted = <Item>(items: Item[]) =>
    new Proxy(items, {
      get(target, key) {
        if (/^\d+$/.test(String(key))) seen.count++
        return Reflect.get(target, key)
      },
    })
  for (const node of plan.nodes) {
    node.incoming = counted(node.incoming)
    node.outgoing = counted(node.outgoing)
  }
  return { plan: { ...plan, nodes: counted(plan.nodes), targets: counted(plan.targets) }, seen }
}

/** Returns the maximum number of nodes and edges accessed by a finished step. */
function costliestStep(arrows: string[], rounds = 0, loops: Record<string, string> = {}): number {
  const { plan, seen } = counting(planOf(arrows, loops))
  const scheduler = new Scheduler(plan)
  let ready = scheduler.ready()
  let most = 0
  for (let step = ready.shift(); step; step = ready.shift()) {
    seen.count = 0
    const isGoingBack = step.backEdges.length > 0 && scheduler.jumpsOf(step) < rounds
    ready = [...ready, ...scheduler.finish(step, isGoingBack ? [] : null).ready]
    most = Math.max(most, seen.count)
  }
  expect(scheduler.isDone).toBe(true)
  return most
}

test('the cost of a finished step does not grow with the number of nodes', () => {
  expect(costliestStep(chain(20))).toBe(1)
  expect(costliestStep(chain(2000))).toBe(1)
})

test('the cost of a finished step grows only with its edges', () => {
  const fan = (width: number) =>
    Array.from({ length: width }, (_, index) => [`start_0>step_${index}`, `step_${index}>step_9999`]).flat()
  expect(costliestStep([...fan(10), ...chain(0)])).toBe(10)
  expect(costliestStep(fan(100))).toBe(100)
})

test('the cost of a jump depends only on the nodes that run again', () => {
  const body = (before: number) => [
    ...chain(before),
    `step_${before - 1}>step_9000`,
    'step_9000>step_9001',
    'step_9001>loop_0',
  ]
  const [few, many] = [10, 1000].map((before) => costliestStep(body(before), 3, { loop_0: 'step_9000' }))
  expect(many).toBe(few)
  expect(few).toBeLessThan(20)
})

test('loops have separate counts, which reset when an outer loop jumps back', () => {
  const plan = planOf(['start_0>step_0', 'step_0>step_1', 'step_1>loop_0', 'step_1>loop_1'], {
    loop_0: 'step_1',
    loop_1: 'step_0',
  })
  const node = (id: string) => plan.byId.get(id) as Plan['nodes'][number]
  const scheduler = new Scheduler(plan)
  const finish = (...ids: string[]) => {
    for (const id of ids) scheduler.finish(node(id.replace('<', '')), id.endsWith('<') ? [] : null)
    return [scheduler.jumpsOf(node('loop_0')), scheduler.jumpsOf(node('loop_1'))]
  }
  expect(finish('start_0', 'step_0', 'step_1', 'loop_0<', 'loop_1')).toEqual([1, 0])
  expect(finish('step_1', 'loop_0', 'loop_1<')).toEqual([0, 1])
  expect(scheduler.round(node('step_1'))).toBe(2)
  expect(finish('step_0', 'step_1', 'loop_0<', 'loop_1<')).toEqual([1, 1])
})
