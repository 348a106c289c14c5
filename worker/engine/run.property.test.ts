import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FlowDocument } from '#contract/flow/document.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, nodeType, requestFor } from './testing.ts'
import type { RunOutcome, StepRow } from './types.ts'

/** A random flow and, for its decision nodes, the outputs that they take. Node i has edges only to later ones. */
interface Case {
  flow: FlowDocument
  taken: Record<string, number[]>
}

const cases: fc.Arbitrary<Case> = fc
  .array(
    fc.record({
      decides: fc.boolean(),
      taken: fc.subarray([0, 1, 2]),
      parents: fc.array(fc.record({ back: fc.nat(8), output: fc.nat(2) }), { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((specs) => {
    const ids = ['start_0', ...specs.map(({ decides }, index) => `${decides ? 'choose' : 'step'}_${index}`)]
    const arrows = specs.flatMap(({ parents }, index) =>
      parents.map(({ back, output }) => {
        const source = ids[Math.max(0, index - back)] as string
        return `${source}>${source.startsWith('choose') ? `${output}:` : ''}${ids[index + 1]}`
      }),
    )
    const taken = Object.fromEntries(specs.map((spec, index) => [`choose_${index}`, spec.taken]))
    const refs = ids.map((id) => `{{${id}}}`).join(' ')
    return { flow: drawFlow(Object.fromEntries(ids.map((id) => [id, { refs }])), arrows), taken }
  })

/** What must run, said in the simplest way: the start, and whatever a live edge leads to. */
function expected({ flow, taken }: Case): Set<string> {
  const runs = new Set(['start_0'])
  for (let grown = true; grown; ) {
    grown = false
    for (const { source, target, sourceHandle } of flow.edges) {
      const output = Number(/-output-(\d+)$/.exec(sourceHandle ?? '')?.[1])
      const isLive = runs.has(source) && (!source.startsWith('choose') || taken[source]?.includes(output))
      if (isLive && !runs.has(target)) grown = Boolean(runs.add(target))
    }
  }
  return runs
}

interface Observed {
  outcome: RunOutcome
  rows: StepRow[]
  /** What each step saw when it began. */
  sights: Record<string, unknown>
  /** The steps that had finished when a step began. */
  before: Record<string, string[]>
  starts: string[]
}

/** Runs a case; `pause` decides when each step goes on. */
async function observe(
  { flow, taken }: Case,
  pause: (id: string) => Promise<unknown>,
  done: StepRow[] = [],
): Promise<Observed> {
  const sights: Record<string, unknown> = {}
  const before: Record<string, string[]> = {}
  const starts: string[] = []
  const finished = done.map(({ path }) => path)
  const behave = (kind: string, more = {}) =>
    nodeType(
      kind,
      async ({ node, state, runtimeHistory, inputs }) => {
        starts.push(node.id)
        before[node.id] = [...finished]
        sights[node.id] = { state, said: runtimeHistory.map(({ content }) => content), inputs }
        await pause(node.id)
        finished.push(node.id)
        return {
          input: {},
          output: { content: node.id },
          state: { ...state, shared: node.id, [node.id]: true },
          chatHistory: [{ role: 'assistant', content: node.id }],
          ...(kind === 'choose' && { takenOutputs: taken[node.id] ?? [] }),
        }
      },
      { inputs: [{ label: 'References', name: 'refs', type: 'string', acceptVariable: true }], ...more },
    )
  const outputs = [0, 1, 2].map((name) => ({ label: String(name), name: String(name) }))
  const run = createRun(catalogueOf(behave('start'), behave('step'), behave('choose', { outputs })))
  const request = requestFor(flow, { done })
  const outcome = await run(request)
  return { outcome, rows: request.rows, sights, before, starts }
}

const atOnce = () => Promise.resolve()
const RUNS = { numRuns: 300 }

test('every node runs exactly as often as the planner says, whatever the timing', async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.scheduler(), async (one, scheduler) => {
      const { outcome, starts } = await scheduler.waitFor(
        observe(one, (id) => scheduler.schedule(Promise.resolve(), id)),
      )
      expect(outcome.state).toBe('FINISHED')
      expect(starts).toHaveLength(new Set(starts).size)
      expect(new Set(starts)).toEqual(expected(one))
    }),
    RUNS,
  )
})

test('a join begins only when every branch that can reach it has come', async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.scheduler(), async (one, scheduler) => {
      const { before } = await scheduler.waitFor(observe(one, (id) => scheduler.schedule(Promise.resolve(), id)))
      const runs = expected(one)
      for (const [id, finished] of Object.entries(before)) {
        const sources = one.flow.edges.filter(({ target }) => target === id).map(({ source }) => source)
        for (const source of sources) if (runs.has(source)) expect(finished).toContain(source)
      }
    }),
    RUNS,
  )
})

test('what steps see and what the run gives do not depend on timing', async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.scheduler(), async (one, scheduler) => {
      const calm = await observe(one, atOnce)
      const wild = await scheduler.waitFor(observe(one, (id) => scheduler.schedule(Promise.resolve(), id)))
      expect(wild.sights).toEqual(calm.sights)
      expect(wild.outcome.text).toBe(calm.outcome.text)
      expect(wild.outcome.flowState).toEqual(calm.outcome.flowState)
    }),
    RUNS,
  )
})

test('a run that goes on from any part of its log ends as if it had never stopped', async () => {
  await fc.assert(
    fc.asyncProperty(cases, fc.scheduler(), fc.nat(14), async (one, scheduler, kept) => {
      const whole = await scheduler.waitFor(observe(one, (id) => scheduler.schedule(Promise.resolve(), id)))
      const stored: StepRow[] = JSON.parse(JSON.stringify(whole.rows.slice(0, kept)))
      const rest = await observe(one, atOnce, stored)
      expect(new Set([...stored.map(({ path }) => path), ...rest.starts])).toEqual(expected(one))
      expect(rest.starts).toHaveLength(whole.starts.length - stored.length)
      expect(rest.outcome).toEqual({ ...whole.outcome, trace: rest.outcome.trace })
      expect(rest.rows.map(({ seq }) => seq)).toEqual(rest.rows.map((_, index) => stored.length + index))
    }),
    RUNS,
  )
})
