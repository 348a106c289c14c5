/** Test helpers: random trees of agents that take turns, and a recursive reference that says what each turn sees and leaves. */
import fc from 'fast-check'
import type { TurnEnd } from '#contract/runs/events.ts'
import { itemPlace } from '#contract/runs/step-paths.ts'
import type { EndedTurn, Group, StepContext, StepResult, Team } from '../../nodes/types.ts'
import type { Plan } from '../plan.ts'
import type { StepRow } from '../types.ts'
import { labelFor } from './flows.ts'
import { chance, stateOf } from './random-flows.ts'
import { agentPlan, teamPlan } from './teams.ts'

const TEAMS = ['sequence', 'loop', 'parallel', 'region'] as const

type Kind = (typeof TEAMS)[number] | 'agent'

/**
 * A `sequence` runs its children in order, a `loop` several times until one escalates. Of a `parallel`, a child that
 * escalates stops the others. In a `region`, agents hand over to each other, and the first child begins.
 */
export interface Tree {
  kind: Kind
  id: string
  children: Tree[]
  /** Loops: how often its children run at most. */
  rounds: number
  /** Parallels: how many children run at once. */
  atOnce: number
  /** Agents fail in some of their turns. */
  breaks: boolean
  /** Agents of a region: the ids to which they may hand over. */
  peers: string[]
}

/** More turns than this in a region end it. */
const MAX_HAND_OVERS = 6

const specs = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 4, arbitrary: fc.constant('agent' as const) },
      { weight: 2, arbitrary: fc.constantFrom(...TEAMS) },
    ),
    parent: fc.nat(20),
    rounds: fc.integer({ min: 0, max: 3 }),
    atOnce: fc.integer({ min: 1, max: 4 }),
    breaks: fc.boolean(),
  }),
  { minLength: 4, maxLength: 20, size: 'max' },
)

/** Trees of up to 12 agents. Teams may be empty. */
export const randomTeams = fc
  .record({
    root: fc.constantFrom(...TEAMS),
    specs,
    rounds: fc.integer({ min: 1, max: 3 }),
    atOnce: fc.constantFrom(1, 8),
  })
  .map(({ root: kind, specs: all, rounds, atOnce }) => {
    const root: Tree = { kind, id: `${kind}_0`, children: [], rounds, atOnce, breaks: false, peers: [] }
    const teams = [root]
    let agents = 0
    for (const [index, { parent, ...spec }] of all.entries()) {
      if (spec.kind === 'agent' && ++agents > 12) continue
      const tree: Tree = { ...spec, id: `${spec.kind}_${index + 1}`, children: [], peers: [] }
      teams[parent % teams.length]?.children.push(tree)
      if (spec.kind !== 'agent') teams.push(tree)
    }
    for (const { kind: team, children } of teams) {
      for (const child of team === 'region' ? children : []) child.peers = children.map(({ id }) => id)
    }
    return root
  })

const breaksAt = ({ breaks }: Tree, path: string) => breaks && chance(`${path}!`) % 6 === 0

/** The end of an agent's turn, which its path decides. */
function endOf({ id, peers }: Tree, path: string): TurnEnd {
  const to = peers[chance(`${path}>`) % peers.length]
  if (to !== undefined && chance(path) % 3 > 0) return { as: 'handOver', to }
  return chance(`${path}^`) % 4 === 0 ? { as: 'done', escalates: id } : { as: 'done' }
}

const escalates = (end: TurnEnd) => (end.as === 'done' ? end.escalates : undefined)
const isChildOf = ({ children }: Tree, id: string | undefined) => children.some((child) => child.id === id)
const textOf = (id: string, turns: { text: string; error?: string }[]) =>
  `${id}(${turns.map(({ text, error }) => error ?? text).join(' ')})`

// As the engine runs them

/** @param turn called in every turn of an agent */
export function planOfTree(tree: Tree, turn: (context: StepContext, path: string) => Promise<void>): Plan {
  if (tree.kind === 'agent') return agentPlan(tree.id, (context) => runAgent(tree, context, turn))
  const members = tree.children.map((child) => [child.id, planOfTree(child, turn)])
  return teamPlan(tree.id, teamOf(tree), Object.fromEntries(members))
}

async function runAgent(
  tree: Tree,
  context: StepContext,
  turn: (context: StepContext, path: string) => Promise<void>,
): Promise<StepResult> {
  const path = context.idempotencyKey.slice('execution-1:'.length)
  await turn(context, path)
  if (breaksAt(tree, path)) throw new Error('broken')
  const state = { ...context.state, shared: path, [tree.id]: path }
  return { input: {}, output: { content: path }, state, turn: endOf(tree, path) }
}

interface Memory {
  /** Number of groups so far. */
  groups: number
  /** Absent before the first turn, and when the last one handed over to nobody. */
  next?: string
  escalates?: string
  turns: Pick<EndedTurn, 'text' | 'error'>[]
}

function teamOf(tree: Tree): Team<Memory> {
  return {
    begin: () => ({ memory: { groups: 0, next: tree.children[0]?.id, turns: [] }, input: {} }),
    next: (memory) => nextGroup(tree, memory),
    after: ({ groups, turns, ...memory }, ended) => ({
      groups: groups + 1,
      next: handedTo(ended.at(-1)?.end),
      escalates: ended.map(({ end }) => escalates(end)).findLast((id) => id !== undefined) ?? memory.escalates,
      turns: [...turns, ...ended.map(({ text, error }) => ({ text, error }))],
    }),
    end: (memory) => ({
      output: { content: textOf(tree.id, memory.turns) },
      turn: { as: 'done', ...(memory.escalates !== undefined && { escalates: memory.escalates }) },
    }),
  }
}

const handedTo = (end: TurnEnd | undefined) => (end?.as === 'handOver' ? end.to : undefined)

function nextGroup(tree: Tree, { groups, next, escalates: asked }: Memory): Group | undefined {
  const { kind, children, rounds, atOnce } = tree
  const ids = children.map(({ id }) => id)
  const alone = (member: string | undefined): Group | undefined =>
    member === undefined ? undefined : { turns: [{ member }], atOnce: 1, onError: 'stop' }
  if (kind === 'sequence') return alone(ids[groups])
  if (kind === 'loop')
    return asked !== undefined || groups >= ids.length * rounds ? undefined : alone(ids[groups % ids.length])
  if (kind === 'region') return groups < MAX_HAND_OVERS ? alone(next) : undefined
  const stopsOthers = (end: TurnEnd) => isChildOf(tree, escalates(end))
  if (groups === 0) return { turns: ids.map((member) => ({ member })), atOnce, onError: 'continue', stopsOthers }
  return undefined
}

// As the reference runs them

interface Ended {
  text: string
  error?: string
  end: TurnEnd
  /** The paths that wrote to the state, in order. */
  wrote: string[]
}

export interface ExpectedTeams {
  /** What each agent sees of the state, by path. */
  sights: Map<string, Record<string, string>>
  /** The text and the end of each turn, by the path of its step. */
  ends: Map<string, Pick<Ended, 'text' | 'end'>>
  /** Paths of turns that others stopped. They may have begun. */
  stopped: string[]
  /** The error of the run. */
  error?: string
  text?: string
  state?: Record<string, string>
}

/**
 * Runs a tree by recursion.
 * @param rows the log, which decides only which turn of a parallel stopped the others
 */
export function expectedTeams(tree: Tree, rows: readonly StepRow[]): ExpectedTeams {
  const final = rows.filter(({ item }) => item.status === 'FINISHED' || item.status === 'ERROR')
  const reference = new Reference(new Map(final.map(({ path, seq }) => [path, seq])))
  try {
    const { text, wrote } = reference.run(tree, '', [])
    return { ...reference, text, state: stateOf(wrote) }
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    return { ...reference, error: error.message }
  }
}

class Broken extends Error {}

class Reference {
  readonly sights: ExpectedTeams['sights'] = new Map()
  readonly ends: ExpectedTeams['ends'] = new Map()
  readonly stopped: string[] = []
  readonly #endedAt: ReadonlyMap<string, number>

  /** @param endedAt place in the log, by path */
  constructor(endedAt: ReadonlyMap<string, number>) {
    this.#endedAt = endedAt
  }

  /** Runs a turn. @param before the paths that wrote to the state before it */
  run(tree: Tree, place: string, before: string[]): Ended {
    const path = `${tree.id}${place}`
    const ended = tree.kind === 'agent' ? this.#runAgent(tree, path, before) : this.#runTeam(tree, path, before)
    this.ends.set(path, { text: ended.text, end: ended.end })
    return ended
  }

  #runAgent(tree: Tree, path: string, before: string[]): Ended {
    this.sights.set(path, stateOf(before))
    if (breaksAt(tree, path)) throw new Broken(`Error in ${labelFor(tree.id)} node: broken`)
    return { text: path, end: endOf(tree, path), wrote: [path] }
  }

  #runTeam(tree: Tree, path: string, before: string[]): Ended {
    const turns =
      tree.kind === 'parallel' ? this.#runParallel(tree, path, before) : this.#runInOrder(tree, path, before)
    const asked = turns.map(({ end }) => escalates(end)).findLast((id) => id !== undefined)
    return {
      text: textOf(tree.id, turns),
      end: { as: 'done', ...(asked !== undefined && { escalates: asked }) },
      wrote: turns.flatMap(({ wrote }) => wrote),
    }
  }

  #runInOrder(tree: Tree, path: string, before: string[]): Ended[] {
    const turns: Ended[] = []
    const turn = (child: Tree): Ended => {
      const wrote = turns.flatMap((each) => each.wrote)
      try {
        turns.push(this.run(child, itemPlace(path, turns.length), [...before, ...wrote]))
      } catch (error) {
        const { message } = error as Error
        throw new Broken(`Error in ${labelFor(tree.id)} node: Error in turn ${turns.length + 1}: ${message}`)
      }
      return turns.at(-1) as Ended
    }
    if (tree.kind === 'sequence') for (const child of tree.children) turn(child)
    if (tree.kind === 'loop') {
      for (let round = 0; round < tree.rounds; round++) {
        for (const child of tree.children) if (escalates(turn(child).end) !== undefined) return turns
      }
    }
    if (tree.kind === 'region') {
      let [child] = tree.children
      while (child && turns.length < MAX_HAND_OVERS) {
        const to = handedTo(turn(child).end)
        child = tree.children.find(({ id }) => id === to)
      }
    }
    return turns
  }

  #runParallel(tree: Tree, path: string, before: string[]): Ended[] {
    const turns: Ended[] = []
    const stoppedAt = tree.atOnce > 1 ? this.#stoppedAt(tree, path, before) : Infinity
    for (const [index, child] of tree.children.entries()) {
      const place = itemPlace(path, index)
      const endedAt = this.#endedAt.get(`${child.id}${place}`) ?? Infinity
      if (endedAt > stoppedAt) {
        this.stopped.push(`${child.id}${place}`)
        continue
      }
      const wrote = tree.atOnce > 1 ? [] : turns.flatMap((each) => each.wrote)
      const ended = this.#runCaught(child, place, [...before, ...wrote])
      turns.push(ended)
      if (tree.atOnce === 1 && isChildOf(tree, escalates(ended.end))) break
    }
    return turns
  }

  /** Returns where in the log the first turn ended that stopped the others. */
  #stoppedAt(tree: Tree, path: string, before: string[]): number {
    const times = tree.children.map((child, index) => {
      const place = itemPlace(path, index)
      const endedAt = this.#endedAt.get(`${child.id}${place}`)
      if (endedAt === undefined) return Infinity
      const { end } = new Reference(this.#endedAt).#runCaught(child, place, before)
      return isChildOf(tree, escalates(end)) ? endedAt : Infinity
    })
    return Math.min(...times)
  }

  #runCaught(child: Tree, place: string, before: string[]): Ended {
    try {
      return this.run(child, place, before)
    } catch (error) {
      return { text: '', error: (error as Error).message, end: { as: 'done' }, wrote: [] }
    }
  }
}
