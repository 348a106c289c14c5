/**
 * Computes what a step sees of the run: the state, the history and the outputs of all nodes before it, in plan order.
 * Parallel branches are invisible, so that no result depends on which one was faster. A node with join any sees only the
 * branch that started it, which is determined by the order of the log.
 *
 * Each node has a base: the outcomes from before its current round. Sets of nodes are bit sets (bit i: the node with
 * index i). Bases are layered: a new base links to an older one and stores only the outcomes that it adds. Example:
 *
 *     start(0) → draft(1) → review(2) → loop(3, back to draft) → reply(4)
 *
 * 1. All nodes have the empty base E. draft#0 sees {start}, as `arrived` 00001; review#0 sees {start, draft#0}.
 * 2. loop#0 jumps back to draft. The round of the target is {draft, review, loop, reply}, bits 11110. The round saw
 *    bits 11111. A new base B1 on top of E adds the outcomes of those nodes so far, in plan order:
 *    [start, draft#0, review#0, loop#0]. All nodes of the round get B1, and their outcomes are cleared.
 * 3. draft#1 sees B1 alone: the target of a jump starts with empty `arrived` bits, since start is already part of B1.
 *    review#1 has the bits 00010 and sees B1 followed by draft#1.
 * 4. loop#1 jumps again: B2 on top of B1 adds [draft#1, review#1, loop#1]. The cost is that of the last round only.
 * 5. loop#2 reaches its maximum and takes its output. reply sees B2 followed by draft#2, review#2 and loop#2.
 *
 * A view is built incrementally: if the last node before a step saw exactly what the step sees before that node, its
 * resulting view (`after`) is reused. Otherwise the outcomes are added to the base one by one.
 */
import type { ChatTurn, StepOutput, TraceItem, TurnEnd } from '#contract/runs/events.ts'
import { bitOf, hasBit, leadsTo, type Plan, type PlanNode } from './plan.ts'
import type { Jump, Scheduler } from './scheduler.ts'

export type State = Readonly<Record<string, unknown>>

export interface StepView {
  state: State
  history: readonly ChatTurn[]
}

/** The result of a finished step. */
interface Outcome {
  index: number
  round: number
  output: StepOutput
  /** State keys that the step changed. */
  changed: State
  turns: readonly ChatTurn[]
  turnEnd?: TurnEnd
  base: Base
  /** Bit set of the nodes that it saw in addition to its base. */
  saw: bigint
  /** The view after this step. */
  after: StepView
}

/** The outcomes from before a round, as a linked list of layers, so that a jump costs only its last round. */
interface Base extends StepView {
  /** Index of the target of the jump that created this base; -1 for the first base. */
  origin: number
  /** Count of the loop that created it. */
  loopCount: number
  below?: Base
  /** Outcomes added to the base below, in order. */
  added: readonly Outcome[]
  /** The latest outcome of each node, by index. */
  latest: readonly (Outcome | undefined)[]
}

/** The bit set of all nodes. */
const ALL = -1n

export class StepViews {
  readonly #plan: Plan
  readonly #scheduler: Scheduler
  readonly #entry: Base
  readonly #bases: Base[]
  /** Outcomes of the current round, by index. */
  readonly #outcomes: (Outcome | undefined)[] = []
  readonly #views: (StepView | undefined)[] = []
  /** Bit set of the nodes with an outcome. */
  #finished = 0n

  /** @param entry the view of the first steps */
  constructor(plan: Plan, scheduler: Scheduler, entry: { state: State; loopCount: number }) {
    this.#plan = plan
    this.#scheduler = scheduler
    this.#entry = { ...entry, history: [], origin: -1, added: [], latest: [] }
    this.#bases = plan.nodes.map(() => this.#entry)
  }

  /** Adds a finished step with its output, state and chat history. Call it before `Scheduler.finish`. */
  add(node: PlanNode, data: TraceItem['data']): void {
    const before = this.before(node)
    const state = data.state ?? before.state
    const turns = data.chatHistory ?? []
    this.#outcomes[node.index] = {
      index: node.index,
      round: this.#scheduler.round(node),
      output: data.output ?? {},
      changed: changes(before.state, state),
      turns,
      turnEnd: data.turn,
      base: this.#baseOf(node),
      saw: this.#scheduler.arrived(node) & this.#finished,
      after: { state, history: turns.length > 0 ? [...before.history, ...turns] : before.history },
    }
    this.#finished |= bitOf(node)
  }

  /** Applies a jump. Call it after adding the step that caused it. */
  jump({ target, count, knew }: Jump): void {
    const base = { ...this.#gather(target.round, knew), origin: target.node.index, loopCount: count }
    for (const { index } of target.round) {
      this.#bases[index] = base
      this.#outcomes[index] = undefined
      this.#views[index] = undefined
    }
    this.#finished &= ~target.bits
  }

  /** Returns the view of a ready node. */
  before(node: PlanNode): StepView {
    const known = this.#views[node.index]
    if (known) return known
    const view = this.#viewOf(node)
    this.#views[node.index] = view
    return view
  }

  /** Returns the count of the latest loop that led to this node. */
  loopCount(node: PlanNode): number {
    return this.#baseOf(node).loopCount
  }

  /** Returns the latest output of a node that `reader` sees, null if it has none yet, or undefined if it is not visible. */
  output(id: string, reader: PlanNode): StepOutput | null | undefined {
    const node = this.#plan.byId.get(id)
    if (!node) return undefined
    const now = hasBit(this.#scheduler.arrived(reader), node) ? this.#outcomes[node.index] : undefined
    const latest = now ?? this.#baseOf(reader).latest[node.index]
    if (latest) return latest.output
    const share = ({ bits }: { bits: bigint }) => hasBit(bits, node) && hasBit(bits, reader)
    return leadsTo(node, reader) || this.#plan.targets.some(share) ? null : undefined
  }

  /** Returns the view after all finished steps. */
  end(): StepView {
    return this.#gather(this.#plan.nodes, ALL)
  }

  /** Returns the text of the last node in plan order that has one, even if empty. Text of earlier nodes is not for the user. */
  text(): string {
    return this.#lastOf(({ output }) => output.content) ?? ''
  }

  /** Returns what the last node in plan order that says so made the end of the turn. */
  turnEnd(): TurnEnd | undefined {
    return this.#lastOf(({ turnEnd }) => turnEnd)
  }

  /** Returns the value of the last outcome in plan order that has one. */
  #lastOf<Value>(read: (outcome: Outcome) => Value | undefined): Value | undefined {
    const hasValue = (outcome: Outcome | undefined) => outcome !== undefined && read(outcome) !== undefined
    const last = this.#outcomes.findLast(hasValue) ?? layersOf(this.#gather(this.#plan.nodes, ALL)).findLast(hasValue)
    return last && read(last)
  }

  #baseOf({ index }: PlanNode): Base {
    return this.#bases[index] as Base
  }

  /** Returns the base extended by earlier outcomes in plan order, reusing the view after the last one if possible. */
  #viewOf(node: PlanNode): StepView {
    const base = this.#baseOf(node)
    const later: Outcome[] = []
    let rest = this.#scheduler.arrived(node) & this.#finished
    for (let index = Math.max(...node.incoming.map(({ source }) => source.index)); rest !== 0n; index--) {
      if (!hasBit(rest, this.#plan.nodes[index] as PlanNode)) continue
      const outcome = this.#outcomes[index] as Outcome
      rest = BigInt.asUintN(index, rest)
      if (outcome.base === base && outcome.saw === rest) return extend(outcome.after, later.reverse())
      if (base.latest[index] !== outcome) later.push(outcome)
    }
    return extend(base, later.reverse())
  }

  /** Merges the bases of the nodes and adds the outcomes in `bits`. */
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

/** Returns the outcomes of a base down to `stop` (exclusive), in order. */
function layersOf(base: Base, stop?: Base): Outcome[] {
  const layers: (readonly Outcome[])[] = []
  for (let at: Base | undefined = base; at && at !== stop; at = at.below) layers.push(at.added)
  return layers.reverse().flat()
}

/** Returns the outcomes of one base that another lacks. Fast if it is built on the other. */
function beyond(base: Base, other: Base): Outcome[] {
  if (dependsOn(base, other)) return layersOf(base, other)
  const known = new Set(layersOf(other))
  return layersOf(base).filter((outcome) => !known.has(outcome))
}

function dependsOn(base: Base, other: Base): boolean {
  for (let at: Base | undefined = base; at; at = at.below) if (at === other) return true
  return false
}

/** Returns the view extended by these outcomes. */
function extend({ state, history }: StepView, outcomes: readonly Outcome[]): StepView {
  if (outcomes.length === 0) return { state, history }
  const turns = outcomes.flatMap((outcome) => outcome.turns)
  return {
    state: Object.assign({ ...state }, ...outcomes.map(({ changed }) => changed)),
    history: turns.length > 0 ? [...history, ...turns] : history,
  }
}

/** Returns the entries of `after` that differ from `before`. */
export function changes(before: State, after: State): State {
  if (before === after) return {}
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !same(before[key], value)))
}

/** Compares objects by content, because rows from the log contain copies. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b)
}
