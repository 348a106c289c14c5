import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { byDepth } from '#worker/local/testing/depth.ts'
import { humanInput } from '../nodes/agentflow/human-input.ts'
import { iteration } from '../nodes/agentflow/iteration.ts'
import { loop } from '../nodes/agentflow/loop.ts'
import type { NodeType, StepContext, StepResult } from '../nodes/types.ts'
import { createRun } from './run.ts'
import { catalogueOf, nodeType, requestFor } from './testing/flows.ts'
import {
  chance,
  choice,
  compileRandomFlow,
  type ExpectedView,
  expectedRun,
  fails,
  leadsOn,
  proceeds,
  type RandomFlow,
  randomFlows,
  takenWay,
} from './testing/random-flows.ts'
import { Timing } from './testing/random-timing.ts'
import type { RunOutcome, StepRow } from './types.ts'

const counted = { graphs: 0, runs: 0, steps: 0 }
afterAll(() => console.log(`random flows: ${counted.graphs} graphs, ${counted.runs} runs, ${counted.steps} steps`))

interface StepView {
  said: string[]
  state: unknown
  refs: unknown
  loopCount: number
}

interface Observed {
  outcome: RunOutcome
  /** The whole log, answers included. */
  rows: StepRow[]
  /** Every begun step, with `?` behind those that were answered. */
  starts: string[]
  /** What each of them saw. */
  sights: Record<string, StepView>
  /** In turn, each from one end to the next: the step that ended, and those that began upon it. */
  turns: { ended: string; begun: string[]; under: number }[]
}

/** Runs a flow to its end, answering who asks in an order that the timing decides. */
async function observe({ flow, nodes }: RandomFlow, seed: number, done: StepRow[] = []): Promise<Observed> {
  const timing = new Timing(seed)
  const starts: string[] = []
  const sights: Observed['sights'] = {}
  const turns: Observed['turns'] = []
  let under = 0
  const breaking = new Set(nodes.filter(({ breaks }) => breaks).map(({ id }) => id))
  const watched = (type: NodeType): NodeType => ({
    ...type,
    async run(context) {
      const path = pathOf(context)
      const key = context.answered ? `${path}?` : path
      starts.push(key)
      turns.at(-1)?.begun.push(path)
      context.charge(usageOf(tokensOf(key)))
      under++
      const { state, runtimeHistory, inputs, loopCount } = context
      sights[key] = { state, said: runtimeHistory.map(({ content }) => content), refs: inputs.refs, loopCount }
      await timing.pause()
      under--
      turns.push({ ended: path, begun: [], under })
      if (breaking.has(context.node.id) && fails(path)) throw new Error(`broken ${path}`)
      const result = await type.run(context)
      return result.wait || result.jumpTo ? result : { ...result, ...traces(context, path) }
    },
  })
  const run = createRun(catalogueOf(...types.map(watched), iteration))
  const rows = [...done]
  for (;;) {
    const request = requestFor(flow, {
      compile: compileRandomFlow,
      done: rows,
      log: { append: (row) => void fresh.push(row), barrier: async () => {} },
    })
    const fresh: StepRow[] = []
    const outcome = await timing.during(run(request))
    rows.push(...fresh)
    counted.runs++
    if (outcome.state !== 'STOPPED') {
      counted.steps += starts.length
      return { outcome, rows, starts, sights, turns }
    }
    const latest = new Map(rows.map((row) => [row.path, row]))
    const asked = [...latest.values()].filter(({ item }) => item.status === 'STOPPED' && !item.data.answer)
    expect(outcome.waiting).toBe(asked.length)
    const one = asked[timing.next(asked.length)] as StepRow
    const type = proceeds(one.path) ? ('proceed' as const) : ('reject' as const)
    const item = { ...one.item, data: { ...one.item.data, answer: { type } } }
    rows.push({ ...one, seq: rows.length, item })
  }
}

const refs = [{ label: 'References', name: 'refs', type: 'string', acceptVariable: true }]
const outputs = [0, 1, 2].map((name) => ({ label: String(name), name: String(name) }))
const says = ({ idempotencyKey }: StepContext): StepResult => ({ input: {}, output: { content: idempotencyKey } })
const withRefs = (type: NodeType): NodeType => ({
  ...type,
  definition: { ...type.definition, inputs: [...type.definition.inputs, ...refs] },
})
const pathOf = ({ idempotencyKey }: StepContext) => idempotencyKey.slice('execution-1:'.length)
const chooses = (context: StepContext): StepResult => ({ ...says(context), takenOutputs: choice(pathOf(context)) })
const turns = (context: StepContext): StepResult => ({
  ...says(context),
  jumpTo: takenWay(context.backEdges, pathOf(context), context.loopCount)?.target,
})
const types = [
  nodeType('start', says, { inputs: refs }),
  nodeType('step', says, { inputs: refs }),
  nodeType('choose', chooses, { inputs: refs, outputs }),
  nodeType('turn', turns, { inputs: refs }),
  withRefs(loop),
  withRefs(humanInput),
]

/** What every step leaves: in the state under its own name and a shared one, and in the history. */
function traces({ state, node }: StepContext, path: string): Partial<StepResult> {
  return { state: { ...state, shared: path, [node.id]: path }, chatHistory: [{ role: 'assistant', content: path }] }
}

/** What an occurrence uses, by its path; `?` when it was answered. */
const tokensOf = (key: string) => chance(key) % 10
const usageOf = (total_tokens: number) => ({ input_tokens: total_tokens, output_tokens: 0, total_tokens })

const MOST = 120
/** More steps than this are never under way. */
const AT_ONCE = 8
const everything = { step: 6, choose: 3, humanInput: 1, loop: 1, turn: 1, iteration: 1 }
const seeds = fc.nat(2_147_483_647)

/** Begins of a whole run: who asks begins twice. */
function begins(paths: Iterable<string>): string[] {
  return [...paths].flatMap((path) => {
    if (path.startsWith('iteration')) return []
    return path.startsWith('humanInput') ? [path, `${path}?`] : [path]
  })
}

function expected(random: RandomFlow): Map<string, ExpectedView> {
  const sights = expectedRun(random, MOST)
  fc.pre(sights !== undefined)
  counted.graphs++
  return sights as Map<string, ExpectedView>
}

/** The last row of each path, without its place in the log. */
function lastRows(rows: StepRow[]): Record<string, unknown> {
  return Object.fromEntries(rows.map(({ seq, ...row }) => [row.path, row]))
}

const copy = (rows: StepRow[]): StepRow[] => JSON.parse(JSON.stringify(rows))

test.each([
  ['decisions and error branches', { step: 3, choose: 2 }, ['all'] as const],
  ['loops', { step: 4, choose: 1, loop: 3 }, ['all'] as const],
  ['several back edges of a node', { step: 4, choose: 1, turn: 3 }, ['all'] as const],
  ['joins that start at the first branch', { step: 4, choose: 2, loop: 1, turn: 1 }, ['all', 'any'] as const],
  ['people and iterations', { step: 4, choose: 1, humanInput: 2, iteration: 2 }, ['all', 'any'] as const],
  ['everything', everything, ['all', 'any'] as const],
])(
  'every node runs exactly as often as in the reference implementation, regardless of timing: %s',
  async (_name, weights, joins) => {
    await fc.assert(
      fc.asyncProperty(randomFlows(weights, [...joins]), seeds, async (random, seed) => {
        const paths = new Set(expected(random).keys())
        const { outcome, starts, rows } = await observe(random, seed)
        expect(outcome).toMatchObject({ state: 'FINISHED' })
        expect(starts.toSorted()).toEqual(begins(paths).toSorted())
        expect(new Set(rows.map(({ path }) => path))).toEqual(paths)
        expect(outcome.trace).toHaveLength(paths.size)
        expect(outcome.totalTokens).toBe(begins(paths).reduce((sum, key) => sum + tokensOf(key), 0))
      }),
      { numRuns: byDepth(400, 8_000) },
    )
  },
)

test('a join any starts at the first branch that finishes', async () => {
  await fc.assert(
    fc.asyncProperty(randomFlows({ step: 3, choose: 1 }, ['any']), seeds, async (random, seed) => {
      expected(random)
      const { turns, starts } = await observe(random, seed)
      for (const id of starts) {
        const first = turns.find(({ ended }) => leadsOn(random, ended, id))
        if (first && first.under < AT_ONCE) expect(first.begun).toContain(id)
      }
    }),
    { numRuns: byDepth(200, 4_000) },
  )
})

test('the views of steps and the result of a run do not depend on timing', async () => {
  await fc.assert(
    fc.asyncProperty(randomFlows(everything), seeds, seeds, async (random, one, other) => {
      const sights = expected(random)
      const [calm, wild] = [await observe(random, one), await observe(random, other)]
      const expectedSights = Object.keys(calm.sights).map((key) => [key, sights.get(key.replace('?', ''))])
      const seen = Object.entries(calm.sights).map(([key, { said, state }]) => [key, { said, state }])
      expect(seen).toEqual(expectedSights)
      expect(wild.sights).toEqual(calm.sights)
      expect(lastRows(wild.rows)).toEqual(lastRows(calm.rows))
      expect({ ...wild.outcome, trace: [] }).toEqual({ ...calm.outcome, trace: [] })
    }),
    { numRuns: byDepth(500, 10_000) },
  )
})

test('a run interrupted after any row resumes to the same result without repeating finished steps', async () => {
  await fc.assert(
    fc.asyncProperty(randomFlows(everything), seeds, fc.nat(1000), async (random, seed, cut) => {
      const paths = new Set(expected(random).keys())
      const whole = await observe(random, seed)
      const stored = copy(whole.rows.slice(0, cut % (whole.rows.length + 1)))
      const rest = await observe(random, seed + 1, stored)
      const over = stored.filter(({ item }) => item.status !== 'STOPPED').map(({ path }) => path)
      expect(rest.starts.filter((path) => over.includes(path.replace('?', '')))).toEqual([])
      expect(new Set([...over, ...rest.rows.map(({ path }) => path)])).toEqual(paths)
      expect(lastRows(copy(rest.rows))).toEqual(lastRows(copy(whole.rows)))
      expect({ ...rest.outcome, trace: [] }).toEqual({ ...whole.outcome, trace: [] })
      expect(rest.rows.map(({ seq }) => seq)).toEqual(rest.rows.map((_, index) => index))
    }),
    { numRuns: byDepth(500, 10_000) },
  )
})

test('a complete log reproduces the result, also with join any', async () => {
  await fc.assert(
    fc.asyncProperty(randomFlows(everything, ['all', 'any']), seeds, async (random, seed) => {
      expected(random)
      const whole = await observe(random, seed)
      const again = await observe(random, seed, copy(whole.rows))
      expect(again.starts).toEqual([])
      expect({ ...again.outcome, trace: [] }).toEqual({ ...whole.outcome, trace: [] })
      expect(again.outcome.trace).toHaveLength(whole.outcome.trace.length)
    }),
    { numRuns: byDepth(200, 4_000) },
  )
})
