import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { noLimits } from '#contract/runs/limits.ts'
import { isWithin } from '#contract/runs/step-paths.ts'
import { byDepth } from '#worker/local/testing/depth.ts'
import { expectedTeams, planOfTree, randomTeams, type Tree } from './testing/random-teams.ts'
import { Timing } from './testing/random-timing.ts'
import { runPlan } from './testing/teams.ts'
import type { RunOutcome, StepRow } from './types.ts'

const counted = { trees: 0, runs: 0, turns: 0, stopped: 0, failed: 0 }
afterAll(() => console.log(`random teams: ${JSON.stringify(counted)}`))

const seeds = fc.nat(2_147_483_647)
const copied = (rows: StepRow[]): StepRow[] => JSON.parse(JSON.stringify(rows))

interface Observed {
  outcome: RunOutcome
  /** The whole log. */
  rows: StepRow[]
  /** What each agent that began saw of the state, by path. */
  sights: Map<string, unknown>
}

/** More steps than this are no test. */
const limits = { ...noLimits, maxSteps: 200 }

async function observe(tree: Tree, seed: number, done: StepRow[] = []): Promise<Observed> {
  const timing = new Timing(seed)
  const sights: Observed['sights'] = new Map()
  const plan = planOfTree(tree, async ({ state }, path) => {
    sights.set(path, state)
    await timing.pause()
  })
  const { outcome, rows } = await timing.during(runPlan(plan, { done, limits }))
  counted.runs++
  counted.turns += sights.size
  return { outcome, rows, sights }
}

/** Compares a run with the reference. Agents that ended in an earlier attempt are not seen again. */
function check(tree: Tree, { outcome, rows, sights }: Observed): void {
  const expected = expectedTeams(tree, rows)
  const { text, state, error } = expected
  expect(outcome).toMatchObject(error === undefined ? { state: 'FINISHED', text } : { state: 'ERROR', error })
  if (error === undefined) expect(outcome.flowState).toEqual(state)
  const isStopped = (path: string) => expected.stopped.some((turn) => isWithin(path, turn))
  const seen = [...sights].filter(([path]) => !isStopped(path))
  expect(seen).toEqual(seen.map(([path]) => [path, expected.sights.get(path)]))
  const ended = rows.filter(({ item, path }) => item.status === 'FINISHED' && !isStopped(path))
  const ends = ended.map(({ path, item: { data } }) => [path, { text: data.output?.content, end: data.turn }])
  expect(new Map(ends as [string, unknown][])).toEqual(expected.ends)
  expect(ends).toHaveLength(expected.ends.size)
  counted.stopped += expected.stopped.length
  counted.failed += error === undefined ? 0 : 1
}

test('teams take the turns of the reference, with its states and texts, regardless of timing', async () => {
  await fc.assert(
    fc.asyncProperty(randomTeams, seeds, async (tree, seed) => {
      const run = await observe(tree, seed)
      fc.pre(run.outcome.limit === undefined)
      counted.trees++
      check(tree, run)
    }),
    { numRuns: byDepth(300, 10_000) },
  )
})

test('a team interrupted after any row resumes to what its log decides, without repeating finished steps', async () => {
  await fc.assert(
    fc.asyncProperty(randomTeams, seeds, fc.nat(1000), async (tree, seed, cut) => {
      const whole = await observe(tree, seed)
      fc.pre(whole.outcome.limit === undefined)
      counted.trees++
      const stored = copied(whole.rows.slice(0, cut % (whole.rows.length + 1)))
      const rest = await observe(tree, seed + 1, stored)
      check(tree, rest)
      const finished = new Set(stored.filter(({ item }) => item.status === 'FINISHED').map(({ path }) => path))
      expect([...rest.sights.keys()].filter((path) => finished.has(path))).toEqual([])
      expect(rest.rows.map(({ seq }) => seq)).toEqual(rest.rows.map((_, index) => index))
      // Where the log ended before it decided who stops the others, the timing decides anew.
      if ([whole, rest].some(({ rows }) => expectedTeams(tree, rows).stopped.length > 0)) return
      const { trace, ...same } = whole.outcome
      expect(rest.outcome).toMatchObject(same)
      expect(rest.outcome.trace).toHaveLength(trace.length)
    }),
    { numRuns: byDepth(300, 10_000) },
  )
})
