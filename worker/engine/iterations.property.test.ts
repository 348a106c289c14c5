import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { byDepth } from '#worker/local/testing/depth.ts'
import { iteration } from '../nodes/agentflow/iteration.ts'
import type { StepContext, StepResult } from '../nodes/types.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, nodeType, requestFor } from './testing/flows.ts'
import { Timing } from './testing/random-timing.ts'
import type { StepRow } from './types.ts'

const counted = { lists: 0, runs: 0 }
afterAll(() => console.log(`random lists: ${counted.lists} iterations, ${counted.runs} runs`))

const seeds = fc.nat(2_147_483_647)
const copied = (rows: StepRow[]): StepRow[] => JSON.parse(JSON.stringify(rows))

/** A list, what becomes of each item (null: it fails), and how many run at once. */
const lists = fc.record({
  items: fc.array(fc.option(fc.nat(99)), { maxLength: 12 }),
  atOnce: fc.integer({ min: 1, max: 8 }),
})

test('failed items keep their place and change no state, regardless of timing and interruptions', async () => {
  await fc.assert(
    fc.asyncProperty(lists, seeds, fc.nat(1000), async ({ items, atOnce }, seed, cut) => {
      const inputs = { iterationInput: JSON.stringify(items), iterationConcurrency: atOnce }
      const flow = drawFlow({ start_0: {}, iteration_0: inputs, step_0: {}, step_1: {} }, [
        'start_0>iteration_0',
        'step_0>step_1',
      ])
      for (const node of flow.nodes) if (node.id.startsWith('step')) node.parentNode = 'iteration_0'
      const live = async (done: StepRow[], timing: Timing) => {
        const run = createRun(
          catalogueOf(
            nodeType('start', () => ({ input: {}, output: {} })),
            nodeType('step', slow(timing)),
            iteration,
          ),
        )
        const request = requestFor(flow, { done })
        return { outcome: await timing.during(run(request)), rows: [...done, ...request.rows] }
      }
      const whole = await live([], new Timing(seed))
      const rest = await live(copied(whole.rows.slice(0, cut % (whole.rows.length + 1))), new Timing(seed + 1))
      for (const { outcome, rows } of [whole, rest]) {
        expect(rows.findLast(({ path }) => path === 'iteration_0')?.item.data.output?.iterationResults).toEqual(
          items.map((item, index) =>
            item === null ? `Error in item ${index + 1}: Error in Step 1 node: broken` : `${item}`,
          ),
        )
        const last = items.findLast((item) => item !== null)
        expect(outcome).toMatchObject({ state: 'FINISHED', flowState: last === undefined ? {} : { last } })
      }
      counted.lists++
      counted.runs += 2
    }),
    { numRuns: byDepth(200, 4_000) },
  )
})

/** The second step of an item leaves it in the state, or fails. */
function slow(timing: Timing) {
  return async ({ node, iteration: item, state }: StepContext): Promise<StepResult> => {
    await timing.pause()
    if (node.id === 'step_1' && item?.value === null) throw new Error('broken')
    return { input: {}, output: { content: String(item?.value) }, state: { ...state, last: item?.value } }
  }
}
