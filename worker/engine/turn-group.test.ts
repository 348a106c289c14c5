/** Turns that stop the others of their group. */
import { describe, expect, it } from 'vitest'
import type { TurnEnd } from '#contract/runs/events.ts'
import type { StepContext, StepResult, Team } from '../nodes/types.ts'
import type { Plan } from './plan.ts'
import { createRedactor } from './redactor.ts'
import { agentPlan, joinPlans, runPlan, scriptedTeam, teamPlan } from './testing/teams.ts'
import type { StepRow } from './types.ts'

type Turn = (context: StepContext) => Promise<void> | void

const copied = (rows: StepRow[]): StepRow[] => JSON.parse(JSON.stringify(rows))
const statuses = (rows: StepRow[]) => rows.map(({ path, item }) => `${path} ${item.status}`)

/** Ends a turn with its name as text and in the state, and asks the others to stop. */
const stopping = (id: string, run: Turn = () => {}) => agent(id, run, { turn: { as: 'done', escalates: id } })

function agent(id: string, run: Turn = () => {}, more: Partial<StepResult> = {}): Plan {
  return agentPlan(id, async (context) => {
    await run(context)
    return { input: {}, output: { content: id }, state: { ...context.state, [id]: true }, ...more }
  })
}

interface Memory {
  at: number
  seen: string[]
}

/** All members but `last` at once, then `last`. Its text says what it learned of each turn. */
function race(ids: string[], more: { atOnce?: number } = {}): Team<Memory> {
  const turns = ids.map((member) => ({ member }))
  const first = {
    turns,
    atOnce: more.atOnce ?? turns.length,
    onError: 'continue' as const,
    stopsOthers: (end: TurnEnd) => end.as === 'done' && end.escalates !== undefined,
  }
  const groups = [first, { turns: [{ member: 'last' }], atOnce: 1, onError: 'stop' as const }]
  return {
    begin: () => ({ memory: { at: 0, seen: [] }, input: ids }),
    next: ({ at }) => groups[at],
    after: ({ at, seen }, ended) => ({
      at: at + 1,
      seen: [...seen, ...ended.map(({ index, text, error }) => `${index} ${error ?? text}`)],
    }),
    end: ({ seen }) => ({ output: { content: seen.join(', ') } }),
  }
}

const last = agent('last')
const planOf = (members: Record<string, Plan>, more?: { atOnce?: number }) =>
  teamPlan('team', race(Object.keys(members), more), { ...members, last })
const never = () => new Promise<void>(() => {})

describe('a turn that stops the others', () => {
  it('leaves those under way without a result, and those to come without a start', async () => {
    const members = { a: agent('a', never), b: agent('b'), c: stopping('c'), d: agent('d') }
    const { outcome, rows } = await runPlan(planOf(members, { atOnce: 2 }))
    expect(outcome).toMatchObject({ state: 'FINISHED', text: '1 b, 2 c, 4 last' })
    expect(outcome.flowState).toEqual({ b: true, c: true, last: true })
    expect(statuses(rows)).toEqual([
      'b@team[1] FINISHED',
      'c@team[2] FINISHED',
      'a@team[0] TERMINATED',
      'last@team[4] FINISHED',
      'team FINISHED',
    ])
    expect(rows[1]?.item.data.turn).toEqual({ as: 'done', escalates: 'c' })
    expect(rows[2]?.item.data.error).toBe('Another turn ended this group of turns')
  })

  it('stops a team inside another turn, with all of its turns', async () => {
    const inner = teamPlan('inner', scriptedTeam([['a', 'b']], 2), { a: agent('a', never), b: agent('b', never) })
    const { outcome, rows } = await runPlan(planOf({ inner, c: stopping('c') }))
    expect(outcome).toMatchObject({ state: 'FINISHED', text: '1 c, 2 last' })
    expect(statuses(rows).slice(1, 4)).toEqual([
      'a@inner@team[0][0] TERMINATED',
      'b@inner@team[0][1] TERMINATED',
      'inner@team[0] TERMINATED',
    ])
  })

  it('ends a sequential group as well', async () => {
    const members = { a: agent('a'), b: stopping('b'), c: agent('c') }
    const { outcome, rows } = await runPlan(planOf(members, { atOnce: 1 }))
    expect(outcome.text).toBe('0 a, 1 b, 3 last')
    const rest = await runPlan(planOf(members, { atOnce: 1 }), { done: copied(rows.slice(0, 2)) })
    expect(statuses(rest.rows)).toEqual(statuses(rows))
  })

  it('leaves its error to a turn that had failed before', async () => {
    const failing = agent('a', () => Promise.reject(new Error('broken')))
    const { outcome, rows } = await runPlan(planOf({ a: failing, b: stopping('b', nextTick) }))
    expect(outcome.text).toBe('0 Error in A node: broken, 1 b, 2 last')
    const rest = await runPlan(planOf({ a: failing, b: stopping('b') }), { done: copied(rows.slice(0, 2)) })
    expect(rest.outcome.text).toBe(outcome.text)
  })

  it('leaves its error to a turn that has failed and still ends its other steps', async () => {
    const gate = Promise.withResolvers<void>()
    const failing = agent('a', async () => {
      await gate.promise
      throw new Error('broken')
    })
    const late = stopping('b', async () => {
      await gate.promise
      // One microtask later than the failure, and before the other step of the failed turn is at rest.
      await null
    })
    const plan = planOf({ pair: joinPlans(failing, agent('x', never)), b: late })
    const work = runPlan(plan)
    await nextTick()
    gate.resolve()
    const { outcome, rows } = await work
    expect(statuses(rows).slice(0, 3)).toEqual(['a@team[0] ERROR', 'b@team[1] FINISHED', 'x@team[0] TERMINATED'])
    expect(outcome.text).toBe('0 Error in A node: broken, 1 b, 2 last')
    expect(rows[2]?.item.data.error).toBe('Another step of this turn failed')
    const [a, b, x] = copied(rows.slice(0, 3)) as [StepRow, StepRow, StepRow]
    const ended = { ...x, item: { ...x.item, status: 'FINISHED' as const } }
    expect((await runPlan(plan, { done: [a, b, ended] })).outcome.text).toBe(outcome.text)
  })

  it('stops nobody when it fails in the end', async () => {
    const failing = agent('a', () => nextTick().then(() => Promise.reject(new Error('broken'))))
    const members = { pair: joinPlans(stopping('x'), failing), b: agent('b', () => nextTick().then(nextTick)) }
    const { outcome } = await runPlan(planOf(members))
    expect(outcome.text).toBe('0 Error in A node: broken, 1 b, 2 last')
  })

  it('withdraws what another turn asks a person', async () => {
    const asking = agent('a', () => {}, { wait: { input: { humanInputEnableFeedback: false } } })
    const { outcome, rows } = await runPlan(planOf({ a: asking, b: stopping('b', nextTick) }))
    expect(outcome).toMatchObject({ state: 'FINISHED', text: '1 b, 2 last' })
    const rest = await runPlan(planOf({ a: asking, b: stopping('b') }), { done: copied(rows.slice(0, -1)) })
    expect(rest.outcome).toMatchObject({ state: 'FINISHED', text: '1 b, 2 last' })
  })

  it('ends with the run when that is cancelled meanwhile', async () => {
    const stop = new AbortController()
    const members = { a: agent('a', ({ signal }) => onAbort(signal, () => stop.abort())), b: stopping('b', nextTick) }
    const { outcome, rows } = await runPlan(planOf(members), { signal: stop.signal })
    expect(outcome.state).toBe('TERMINATED')
    expect(statuses(rows)).toEqual(['b@team[1] FINISHED', 'a@team[0] TERMINATED', 'team TERMINATED'])
  })
})

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve))
const onAbort = (signal: AbortSignal, act: () => void) => new Promise<void>(() => signal.addEventListener('abort', act))

describe('turns that both stop the others', () => {
  /** Ends `a` and `b` at once, `first` with the first row in the log. */
  async function together(first: 'a' | 'b') {
    const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
    const turn = (id: 'a' | 'b') => stopping(id, () => gates[id].promise)
    const work = runPlan(planOf({ a: turn('a'), b: turn('b'), c: agent('c', never) }))
    await nextTick()
    for (const id of [first, first === 'a' ? 'b' : 'a'] as const) gates[id].resolve()
    return work
  }

  it.each([
    ['a', '0 a, 3 last', { a: true, last: true }],
    ['b', '1 b, 3 last', { b: true, last: true }],
  ] as const)(
    'count in the order of the log, also when the run resumes after any row: %s first',
    async (first, text, state) => {
      const { outcome, rows } = await together(first)
      expect(statuses(rows).slice(0, 2).sort()).toEqual(['a@team[0] FINISHED', 'b@team[1] FINISHED'])
      expect(rows[0]?.nodeId).toBe(first)
      expect(outcome).toMatchObject({ state: 'FINISHED', text })
      for (let kept = 1; kept < rows.length; kept++) {
        const plan = planOf({ a: stopping('a'), b: stopping('b'), c: agent('c') })
        const rest = await runPlan(plan, { done: copied(rows.slice(0, kept)) })
        expect(rest.outcome).toMatchObject({ state: 'FINISHED', text })
        expect(rest.outcome.flowState).toEqual(state)
      }
    },
  )
})

describe('the end of a turn', () => {
  /** Goes to whom the turn before names, up to five turns. */
  const relay: Team<{ next?: string; texts: string[] }> = {
    begin: () => ({ memory: { next: 'a', texts: [] }, input: {} }),
    next: ({ next, texts }) =>
      next && texts.length < 5 ? { turns: [{ member: next }], atOnce: 1, onError: 'stop' } : undefined,
    after: ({ texts }, [ended]) => ({
      next: ended?.end.as === 'handOver' ? ended.end.to : undefined,
      texts: [...texts, ended?.text ?? ''],
    }),
    end: ({ texts, next }) => ({
      output: { content: texts.join(' ') },
      turn: next ? { as: 'handOver', to: next } : { as: 'done' },
    }),
  }
  const to = (id: string, next: string) => agent(id, () => {}, { turn: { as: 'handOver', to: next } })

  it('names the member whose turn is next', async () => {
    const { outcome, rows } = await runPlan(
      teamPlan('team', relay, { a: to('a', 'b'), b: to('b', 'c'), c: agent('c') }),
    )
    expect(outcome.text).toBe('a b c')
    expect(rows.map(({ item }) => item.data.turn)).toEqual([
      { as: 'handOver', to: 'b' },
      { as: 'handOver', to: 'c' },
      undefined,
      { as: 'done' },
    ])
  })

  it('of a team inside another is what that team says', async () => {
    const inner = teamPlan('inner', relay, { a: to('a', 'a') })
    const { outcome } = await runPlan(
      teamPlan('team', { ...relay, begin: beginWith('inner') }, { inner, a: agent('a') }),
    )
    expect(outcome.text).toBe('a a a a a a')
  })

  const beginWith = (next: string) => () => ({ memory: { next, texts: [] }, input: {} })

  it('is known to a resumed run even where it says what is secret', async () => {
    const secrets = createRedactor()
    secrets.add(['hunter2'])
    const members = { a: to('a', 'hunter2'), hunter2: agent('c') }
    const { outcome, rows } = await runPlan(teamPlan('team', relay, members), { secrets })
    expect(outcome.text).toBe('a c')
    expect(JSON.stringify(rows.map(({ item }) => item.data))).not.toContain('hunter2')
    const rest = await runPlan(teamPlan('team', relay, members), { secrets, done: copied(rows.slice(0, 1)) })
    expect(rest.outcome.text).toBe('a c')
  })
})
