/**
 * What a step sees of the run: the state, the history and the outputs of all nodes above it, in plan order.
 * Nothing beside or below it is seen, so that no result depends on which branch was faster. A join that starts at its
 * first branch sees that branch alone: which one that was, the order of the log says.
 *
 * Every node stands on a base: what there was before its round began. A jump makes a new base for all that it runs again:
 * what they stood on, then what they and all that they saw left in the round that ended, in plan order.
 */
import type { ChatTurn, StepOutput, TraceItem } from '#contract/events.ts'
import { bitOf, hasBit, leadsTo, type Plan, type PlanNode } from './plan.ts'
import type { Jump, Scheduler } from './scheduler.ts'

export type State = Readonly<Record<string, unknown>>

export interface StepView {
  state: State
  history: readonly ChatTurn[]
}

/** What a finished step left. */
interface Outcome {
  index: number
  round: number
  output: StepOutput
  /** The state keys that the step itself changed. */
  changed: State
  turns: readonly ChatTurn[]
  base: Base
  /** Bits of what it saw beside its base. */
  saw: bigint
  /** What a node right below it sees. */
  after: StepView
}

/** Grows by a layer with each jump, so that a jump costs what its round left, however many there were before. */
interface Base extends StepView {
  /** Index of the node to which the jump went that made this base; -1 for the first one. */
  origin: number
  /** Jump-backs of the loop that made it. */
  loopCount: number
  below?: Base
  /** What is in it beside what is in the one below, in order. */
  added: readonly Outcome[]
  /** The latest outcome of each node, by index. */
  latest: readonly (Outcome | undefined)[]
}

/** The bits of all nodes. */
const ALL = -1n

export class StepViews {
  readonly #plan: Plan
  readonly #progress: Scheduler
  readonly #entry: Base
  readonly #bases: Base[]
  /** Of this round. */
  readonly #outcomes: (Outcome | undefined)[] = []
  readonly #sights: (StepView | undefined)[] = []
  /** Bits of the nodes that have an outcome. */
  #left = 0n

  /** @param entry what the first steps see */
  constructor(plan: Plan, scheduler: Scheduler, entry: { state: State; loopCount: number }) {
    this.#plan = plan
    this.#progress = scheduler
    this.#entry = { ...entry, history: [], origin: -1, added: [], latest: [] }
    this.#bases = plan.nodes.map(() => this.#entry)
  }

  /** Takes in a finished step, before its progress does: its trace item's output, state and chat history. */
  add(node: PlanNode, data: TraceItem['data']): void {
    const before = this.before(node)
    const state = data.state ?? before.state
    const turns = data.chatHistory ?? []
    this.#outcomes[node.index] = {
      index: node.index,
      round: this.#progress.round(node),
      output: data.output ?? {},
      changed: changes(before.state, state),
      turns,
      base: this.#baseOf(node),
      saw: this.#progress.arrived(node) & this.#left,
      after: { state, history: turns.length > 0 ? [...before.history, ...turns] : before.history },
    }
    this.#left |= bitOf(node)
  }

  /** Takes in a jump, after the step that let it happen. */
  jump({ target, count, knew }: Jump): void {
    const base = { ...this.#gather(target.round, knew), origin: target.node.index, loopCount: count }
    for (const { index } of target.round) {
      this.#bases[index] = base
      this.#outcomes[index] = undefined
      this.#sights[index] = undefined
    }
    this.#left &= ~target.bits
  }

  /** What a node that may run sees. */
  before(node: PlanNode): StepView {
    const known = this.#sights[node.index]
    if (known) return known
    const view = this.#sightOf(node)
    this.#sights[node.index] = view
    return view
  }

  /** Jump-backs of the latest loop that brought the run to this node. */
  loopCount(node: PlanNode): number {
    return this.#baseOf(node).loopCount
  }

  /** The latest output of a node that `reader` sees; null when it gave none yet, undefined when it cannot be seen from there. */
  output(id: string, reader: PlanNode): StepOutput | null | undefined {
    const node = this.#plan.byId.get(id)
    if (!node) return undefined
    const now = hasBit(this.#progress.arrived(reader), node) ? this.#outcomes[node.index] : undefined
    const latest = now ?? this.#baseOf(reader).latest[node.index]
    if (latest) return latest.output
    const share = ({ bits }: { bits: bigint }) => hasBit(bits, node) && hasBit(bits, reader)
    return leadsTo(node, reader) || this.#plan.targets.some(share) ? null : undefined
  }

  /** All finished steps together: the end of the run. */
  end(): StepView {
    return this.#gather(this.#plan.nodes, ALL)
  }

  /** The text of the last node in plan order that gives one, though it be empty: an earlier node spoke to others than the person. */
  text(): string {
    const speaks = (outcome: Outcome | undefined) => outcome?.output.content !== undefined
    const last = this.#outcomes.findLast(speaks) ?? layersOf(this.#gather(this.#plan.nodes, ALL)).findLast(speaks)
    return last?.output.content ?? ''
  }

  #baseOf({ index }: PlanNode): Base {
    return this.#bases[index] as Base
  }

  /** The base, and then what the steps above left, in plan order; put together from the last one that saw all before it. */
  #sightOf(node: PlanNode): StepView {
    const base = this.#baseOf(node)
    const later: Outcome[] = []
    let rest = this.#progress.arrived(node) & this.#left
    for (let index = Math.max(...node.incoming.map(({ source }) => source.index)); rest !== 0n; index--) {
      if (!hasBit(rest, this.#plan.nodes[index] as PlanNode)) continue
      const outcome = this.#outcomes[index] as Outcome
      rest = BigInt.asUintN(index, rest)
      if (outcome.base === base && outcome.saw === rest) return extend(outcome.after, later.reverse())
      if (base.latest[index] !== outcome) later.push(outcome)
    }
    return extend(base, later.reverse())
  }

  /** What these nodes stand on, and then what was left by those whose bits are set. */
  #gather(nodes: readonly PlanNode[], bits: bigint): Base {
    const bases = [...new Set(nodes.map((node) => this.#baseOf(node)))].sort((a, b) => a.origin - b.origin)
    const [first = this.#entry, ...others] = bases
    const now = this.#plan.nodes.flatMap((node) => (hasBit(bits, node) ? (this.#outcomes[node.index] ?? []) : []))
    const fresh = now.filter((outcome) => first.latest[outcome.index] !== outcome)
    const added = [...new Set([...others.flatMap((other) => beyond(other, first)), ...fresh])]
    const latest = [...first.latest]
    for (const outcome of added) if (!isOlder(outcome, latest[outcome.index])) latest[outcome.index] = outcome
    return { ...first, ...extend(first, added), below: first, added, latest }
  }
}

const isOlder = (one: Outcome, other: Outcome | undefined): boolean => other !== undefined && one.round < other.round

/** All that is in a base but not in the one where this stops, in order. */
function layersOf(base: Base, stop?: Base): Outcome[] {
  const layers: (readonly Outcome[])[] = []
  for (let at: Base | undefined = base; at && at !== stop; at = at.below) layers.push(at.added)
  return layers.reverse().flat()
}

/** What is in one base and not in another one. Most often it stands on that. */
function beyond(base: Base, other: Base): Outcome[] {
  if (dependsOn(base, other)) return layersOf(base, other)
  const known = new Set(layersOf(other))
  return layersOf(base).filter((outcome) => !known.has(outcome))
}

function dependsOn(base: Base, other: Base): boolean {
  for (let at: Base | undefined = base; at; at = at.below) if (at === other) return true
  return false
}

/** What is seen with these outcomes after it. */
function extend({ state, history }: StepView, outcomes: readonly Outcome[]): StepView {
  if (outcomes.length === 0) return { state, history }
  const turns = outcomes.flatMap((outcome) => outcome.turns)
  return {
    state: Object.assign({ ...state }, ...outcomes.map(({ changed }) => changed)),
    history: turns.length > 0 ? [...history, ...turns] : history,
  }
}

/** The keys of `after` that are not what they were. */
export function changes(before: State, after: State): State {
  if (before === after) return {}
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !same(before[key], value)))
}

/** Rows read back from the log hold copies: objects are compared by content. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b)
}
