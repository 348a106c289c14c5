import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { TraceItem } from '#contract/runs/events.ts'
import { iteration } from '../nodes/agentflow/iteration.ts'
import { Budget, bytesOf, LEFT_OUT, MAX_RUN_BYTES, type Part, TOO_MUCH } from './budget.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, nodeType, requestFor } from './testing/flows.ts'
import type { RunRequest, StepRow } from './types.ts'

/** A sixteenth of the size limit. */
const MB = MAX_RUN_BYTES / 16

describe('the log of a run', () => {
  it('never exceeds its size limit, regardless of the rows and their order', () => {
    const asked = fc.record({
      text: fc.string({ unit: 'binary', maxLength: 400 }),
      hidden: fc.option(fc.string({ maxLength: 200 })),
      part: fc.constantFrom<Part>('whole', 'needed', 'closing'),
      isRestored: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 60 }), fc.integer({ min: 500, max: 20_000 }), (rows, max) => {
        const budget = new Budget(max)
        const kept: StepRow[] = []
        for (const { text, hidden, part, isRestored } of rows) {
          const row = rowOf(text, hidden)
          const before = sumOf(kept)
          if (isRestored && before + bytesOf(row) <= max) {
            budget.restore(row)
            kept.push(row)
          } else if (budget.takes(row, part)) kept.push(row)
          expect(sumOf(kept)).toBeLessThanOrEqual(max)
        }
      }),
    )
  })

  it('is measured in UTF-8 bytes, including encrypted data', () => {
    expect(bytesOf(rowOf('ü')) - bytesOf(rowOf('u'))).toBe(1)
    expect(bytesOf(rowOf('u', 'x'.repeat(3000))) - bytesOf(rowOf('u'))).toBeGreaterThan(4000)
    expect(bytesOf({ ...rowOf('u', 'x'), sealed: 'y'.repeat(700) }) - bytesOf(rowOf('u'))).toBe(700)
  })
})

function rowOf(text: string, hidden?: string | null): StepRow {
  const item: TraceItem = { nodeId: 'a', nodeLabel: 'A', previousNodeIds: [], status: 'FINISHED', data: dataOf(text) }
  const withheld = hidden ? { withheld: { output: { content: hidden } } } : {}
  return { seq: 0, path: 'a', nodeId: 'a', takenOutputs: null, item, ...withheld, startedAt: '', finishedAt: '' }
}
const dataOf = (content: string) => ({ id: 'a', name: 'a', output: { content } })

const sumOf = (rows: StepRow[]) => rows.reduce((sum, row) => sum + bytesOf(row), 0)
const copy = (rows: StepRow[]): StepRow[] => JSON.parse(JSON.stringify(rows))

/** A step with the size of its input and output. */
type Size = [input: number, output: number]

/** A row of steps. Each tells which state it saw, and how much of the step before; the third one changes the state. */
function row(sizes: Size[], more: Partial<RunRequest> = {}) {
  const says = nodeType('say', ({ node, state, input }) => {
    const index = Number(node.id.split('_')[1])
    const [inSize = 0, outSize = 0] = sizes[index] ?? []
    const { seen = [] } = state as { seen?: string[] }
    return {
      input: { prompt: 'i'.repeat(inSize) },
      output: { content: 'o'.repeat(outSize), seen, asked: input.text },
      ...(index === 2 && { state: { seen: [...seen, node.id] } }),
    }
  })
  const start = nodeType('start', () => ({ input: {}, output: {}, state: { seen: ['start'] } }))
  const end = nodeType('end', ({ state }) => ({
    input: {},
    output: { content: `ended after ${JSON.stringify(state)}` },
  }))
  const steps = sizes.map((_, index) => `say_${index}`)
  const ids = ['start_0', ...steps, 'end_0']
  const flow = drawFlow(
    Object.fromEntries(ids.map((id) => [id, undefined])),
    ids.slice(1).map((id, index) => `${ids[index]}>${id}`),
  )
  return runOf(flow, [start, says, end], more)
}

async function runOf(flow: FlowDocument, types: Parameters<typeof catalogueOf>, more: Partial<RunRequest> = {}) {
  const request = requestFor(flow, more)
  const outcome = await createRun(catalogueOf(...types))(request)
  return { outcome, rows: request.rows, all: [...(more.done ?? []), ...request.rows] }
}

const wordy: Size[] = Array.from({ length: 12 }, () => [2 * MB, 1000])

describe('a run with large inputs', () => {
  it('finishes, and omits data for people in later steps', async () => {
    const { outcome, all } = await row(wordy)
    expect(outcome).toMatchObject({ state: 'FINISHED', text: 'ended after {"seen":["start","say_2"]}' })
    expect(sumOf(all)).toBeLessThanOrEqual(MAX_RUN_BYTES)
    const [first, last] = [all[1], all.at(-2)].map((each) => each?.item.data)
    expect(first).toMatchObject({ input: { prompt: expect.any(String) }, state: { seen: ['start'] } })
    expect(last).toMatchObject({ input: LEFT_OUT, output: { content: 'o'.repeat(1000) } })
    expect(last).not.toHaveProperty('state')
  })

  it('keeps a state that a later step changes', async () => {
    const { outcome, all } = await row([
      [8 * MB, 0],
      [0, 0],
      [9 * MB, 0],
    ])
    expect(outcome.text).toBe('ended after {"seen":["start","say_2"]}')
    expect(all[3]?.item.data).toMatchObject({ input: LEFT_OUT, state: { seen: ['start', 'say_2'] } })
  })

  it('ends the same when it continues after any of its steps', async () => {
    const sizes: Size[] = Array.from({ length: 4 }, () => [5 * MB, 1000])
    const whole = await row(sizes)
    expect(whole.all.at(-2)?.item.data).toMatchObject({ input: LEFT_OUT })
    for (let cut = 0; cut <= whole.rows.length; cut++) {
      const { outcome, all } = await row(sizes, { done: copy(whole.rows.slice(0, cut)) })
      expect(outcome).toEqual(whole.outcome)
      expect(copy(all)).toEqual(copy(whole.all))
    }
  })

  it('omits the items of an iteration, but not their results', async () => {
    const start = nodeType('start', () => ({ input: {}, output: {}, state: {} }))
    const tell = nodeType('tell', ({ iteration }) => ({ input: {}, output: { content: `item ${iteration?.index}` } }))
    const items = Array.from({ length: 12 }, () => 'x'.repeat(2 * MB))
    const flow = drawFlow({ start_0: {}, iteration_0: { iterationInput: JSON.stringify(items) }, tell_0: {} }, [
      'start_0>iteration_0',
    ])
    const inner = flow.nodes.find(({ id }) => id === 'tell_0')
    Object.assign(inner ?? {}, { parentNode: 'iteration_0' })
    const { outcome, all } = await runOf(flow, [start, iteration, tell])
    expect(outcome).toMatchObject({ state: 'FINISHED', text: expect.stringContaining('item 11') })
    expect(sumOf(all)).toBeLessThanOrEqual(MAX_RUN_BYTES)
    const last = all.find(({ path }) => path === 'tell_0@iteration_0[11]')
    expect(last?.item.data.iterationContext).toEqual({ index: 11, value: LEFT_OUT, isFirst: false, isLast: true })
  })
})

describe('a run that exceeds the size limit', () => {
  const heavy: Size[] = Array.from({ length: 12 }, () => [100_000, 2 * MB])

  it('ends with a clear error and a complete log up to that point', async () => {
    const { outcome, all } = await row(heavy)
    expect(outcome).toMatchObject({ state: 'ERROR', error: TOO_MUCH })
    expect(sumOf(all)).toBeLessThanOrEqual(MAX_RUN_BYTES)
    const last = all.at(-1)
    expect(last?.item).toMatchObject({ status: 'ERROR', data: { error: TOO_MUCH } })
    for (const { item } of all.slice(1, -1)) expect(item.data.output?.content).toHaveLength(2 * MB)
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index))
  })

  it('ends with the same error when resumed, without repeating finished steps', async () => {
    const { all } = await row(heavy)
    const again = await row(heavy, { done: copy(all.slice(0, -1)) })
    expect(again.outcome).toMatchObject({ state: 'ERROR', error: TOO_MUCH })
    expect(again.rows.map(({ path }) => path)).toEqual([all.at(-1)?.path])
  })

  it('ends even if its nodes have error branches', async () => {
    const outputs = { start_0: {}, say_0: {}, end_0: {} }
    const flow = drawFlow(outputs, ['start_0>say_0', 'say_0>end_0'])
    for (const { data } of flow.nodes) data.runPolicy = { onError: 'branch' }
    const start = nodeType('start', () => ({ input: {}, output: {} }))
    const say = nodeType('say', () => ({ input: {}, output: { content: 'o'.repeat(17 * MB) } }))
    const end = nodeType('end', () => ({ input: {}, output: { content: 'never' } }))
    const { outcome, all } = await runOf(flow, [start, say, end])
    expect(outcome).toMatchObject({ state: 'ERROR', error: TOO_MUCH })
    expect(all.map(({ path }) => path)).toEqual(['start_0', 'say_0'])
  })

  it('records the usage of the step that exceeded the limit', async () => {
    const flow = drawFlow({ start_0: {}, say_0: {} }, ['start_0>say_0'])
    const start = nodeType('start', () => ({ input: {}, output: {} }))
    const say = nodeType('say', ({ charge }) => {
      charge({ input_tokens: 3, output_tokens: 4, total_tokens: 7 })
      return { input: {}, output: { content: 'o'.repeat(17 * MB) } }
    })
    const { outcome } = await runOf(flow, [start, say])
    expect(outcome).toMatchObject({ state: 'ERROR', totalTokens: 7 })
  })
})
