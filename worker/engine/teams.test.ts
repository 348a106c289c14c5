/** Containers whose turns follow from the turns before them. */
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '#contract/runs/events.ts'
import { noLimits } from '#contract/runs/limits.ts'
import type { StepResult, Team } from '../nodes/types.ts'
import { bytesOf } from './budget.ts'
import { agentPlan, runPlan, scriptedTeam, teamPlan } from './testing/teams.ts'
import type { StepRow } from './types.ts'

/** Says what earlier agents left in the state, and adds its name. */
const agent = (id: string, more: Partial<StepResult> = {}) =>
  agentPlan(id, ({ state }) => {
    const said = `${state.said ?? ''}${id}`
    return { input: {}, output: { content: said }, state: { ...state, said, [id]: true }, ...more }
  })
const members = { a: agent('a'), b: agent('b'), c: agent('c') }

describe('a team', () => {
  it('runs group after group, each with the state of the turns before it', async () => {
    const plan = teamPlan('team', scriptedTeam([['a'], ['b', 'c'], ['a']]), members)
    const { outcome, rows } = await runPlan(plan)
    expect(outcome).toMatchObject({
      state: 'FINISHED',
      text: 'a, ab, abc, abca',
      flowState: { said: 'abca', a: true, b: true, c: true },
    })
    expect(rows.map(({ path }) => path)).toEqual(['a@team[0]', 'b@team[1]', 'c@team[2]', 'a@team[3]', 'team'])
    expect(rows[3]?.item.data).toMatchObject({
      iterationIndex: 3,
      iterationContext: { index: 3, isFirst: false, isLast: false },
      parentNodeId: 'team',
    })
  })

  it('gives the turns of a parallel group the state before it, and the next group what all of them left', async () => {
    const plan = teamPlan('team', scriptedTeam([['a'], ['b', 'c'], ['a']], 2), members)
    expect((await runPlan(plan)).outcome).toMatchObject({ text: 'a, ab, ac, aca', flowState: { b: true, c: true } })
  })

  it('is a member of other teams', async () => {
    const inner = teamPlan('inner', scriptedTeam([['a'], ['b']]), members)
    const { outcome, rows } = await runPlan(
      teamPlan('outer', scriptedTeam([['c'], ['inner'], ['c']]), { ...members, inner }),
    )
    expect(outcome).toMatchObject({ state: 'FINISHED', text: 'c, ca, cab, cabc' })
    expect(rows.map(({ path }) => path)).toEqual([
      'c@outer[0]',
      'a@inner@outer[1][0]',
      'b@inner@outer[1][1]',
      'inner@outer[1]',
      'c@outer[2]',
      'outer',
    ])
  })

  it('fails with the turn that failed', async () => {
    const broken = agentPlan('b', () => Promise.reject(new Error('broken')))
    const { outcome } = await runPlan(teamPlan('team', scriptedTeam([['a'], ['b'], ['c']]), { ...members, b: broken }))
    expect(outcome).toMatchObject({
      state: 'ERROR',
      error: 'Error in Team node: Error in turn 2: Error in B node: broken',
    })
  })

  it('runs no turn of a group with an unknown member', async () => {
    const { outcome, rows } = await runPlan(teamPlan('team', scriptedTeam([['a'], ['b', 'd']], 2), members))
    expect(outcome.error).toBe('Error in Team node: "d" is not a member of this team')
    expect(rows.map(({ path }) => path)).toEqual(['a@team[0]', 'team'])
  })

  const failing: [string, Partial<Team>, string][] = [
    ['next', { next: () => fail('no idea') }, 'no idea'],
    ['after', { after: () => fail('no memory') }, 'no memory'],
    ['end', { end: () => fail('no end') }, 'no end'],
  ]
  it.each(failing)('fails with what its rule for %s throws', async (_name, rule, message) => {
    const plan = teamPlan('team', { ...scriptedTeam([['a']]), ...rule } as Team, members)
    expect((await runPlan(plan)).outcome).toMatchObject({ state: 'ERROR', error: `Error in Team node: ${message}` })
  })
})

function fail(message: string): never {
  throw new Error(message)
}

describe('a team without end', () => {
  const endless = (...turns: string[]): Team<null> => ({
    begin: () => ({ memory: null, input: {} }),
    next: () => ({ turns: turns.map((member) => ({ member })), atOnce: 1, onError: 'stop' }),
    after: (memory) => memory,
    end: () => ({ output: {} }),
  })

  it('ends at the step limit of the run', async () => {
    const { outcome, rows } = await runPlan(teamPlan('team', endless('a'), members), {
      limits: { ...noLimits, maxSteps: 20 },
    })
    expect(outcome).toMatchObject({ state: 'TERMINATED', limit: 'steps' })
    expect(rows.filter(({ item }) => item.status === 'FINISHED')).toHaveLength(19)
  })

  it.each([[[]], [['empty']]])('fails when no step runs in a group: %j', async (turns) => {
    const empty = { nodes: [], byId: new Map(), targets: [] }
    const { outcome } = await runPlan(teamPlan('team', endless(...turns), { ...members, empty }))
    expect(outcome.error).toBe('Error in Team node: It goes on although nothing ran in its last turns')
  })
})

it('a team resumes after any number of turns', async () => {
  const count = 5000
  const plan = teamPlan('team', scriptedTeam(Array.from({ length: count }, () => ['a'])), members)
  const [first] = (await runPlan(teamPlan('team', scriptedTeam([['a']]), members))).rows
  const done = Array.from({ length: count - 1 }, (_, index) => {
    const path = `a@team[${index}]`
    return { ...(first as StepRow), seq: index, path }
  })
  const { outcome, rows } = await runPlan(plan, { done, limits: { ...noLimits, maxSteps: 2 * count } })
  expect(outcome.state).toBe('FINISHED')
  expect(rows.slice(done.length).map(({ path }) => path)).toEqual([`a@team[${count - 1}]`, 'team'])
})

/** Counts what a loop of an agent costs: its rows, their bytes, all bytes sent, and how often rules and rows are read. */
async function costOf(rounds: number) {
  const cost = { rows: 0, rowBytes: 0, sentBytes: 0, visits: 0, visitsOfResumed: 0 }
  const rule: Team<{ round: number }> = {
    begin: () => ({ memory: { round: 0 }, input: {} }),
    next: ({ round }) => {
      cost.visits++
      return round < rounds ? { turns: [{ member: 'a' }], atOnce: 1, onError: 'stop' } : undefined
    },
    after: ({ round }, ended) => {
      cost.visits += ended.length
      return { round: round + 1 }
    },
    end: () => ({ output: { content: 'done' } }),
  }
  const plan = teamPlan('team', rule, {
    a: agentPlan('a', () => ({ input: {}, output: { content: 'x'.repeat(100) } })),
  })
  const emit = (event: RunEvent) => {
    cost.sentBytes += JSON.stringify(event).length
  }
  const { rows } = await runPlan(plan, { emit })
  cost.rows = rows.length
  cost.rowBytes = rows.reduce((bytes, row) => bytes + bytesOf(row), 0)
  const done = rows.slice(0, -1).map((row) => {
    const read = () => {
      cost.visitsOfResumed++
      return row.item
    }
    return Object.defineProperty({ ...row }, 'item', { get: read })
  })
  expect((await runPlan(plan, { done })).outcome.state).toBe('FINISHED')
  return cost
}

it('200 turns cost at most 2.2 times as much as 100', async () => {
  const [half, whole] = [await costOf(100), await costOf(200)]
  for (const [name, cost] of Object.entries(half)) {
    expect(whole[name as keyof typeof whole] / cost, name).toBeLessThanOrEqual(2.2)
  }
})
