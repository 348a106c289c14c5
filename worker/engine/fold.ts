/**
 * What a step sees of the run: the state, the history and the outputs of all nodes above it, in plan order.
 * Nothing beside or below it is seen, so that no result depends on which branch was faster. A join that starts at its
 * first branch sees that branch alone: which one that was, the order of the log says.
 *
 * Every node stands on a base: what there was before its round began. A jump makes a new base for all that it runs again:
 * what they stood on, then what they and all that they saw left in the round that ended, in plan order.
 */
import type { ChatTurn, StepOutput, TraceItem } from '#contract/events.ts'
import { hasBit, leadsTo, type Plan, type PlanNode } from './plan.ts'
import type { Jump, Progress } from './progress.ts'

export type State = Readonly<Record<string, unknown>>

export interface Sight {
  state: State
  history: readonly ChatTurn[]
}

/** What a finished step left. */
interface Outcome {
  id: string
  output: StepOutput
  /** The state keys that the step itself changed. */
  changed: State
  turns: readonly ChatTurn[]
  /** What a node right below it sees. */
  after: Sight
}

/** The bits of all nodes. */
const ALL = -1n

interface Base extends Sight {
  /** Index of the node to which the jump went that made this base; -1 for the first one. */
  origin: number
  /** All that is in it, in order. */
  outcomes: ReadonlySet<Outcome>
  /** Jump-backs of the loop that made it. */
  loopCount: number
}

export class Fold {
  readonly #plan: Plan
  readonly #progress: Progress
  readonly #entry: Base
  readonly #bases: Base[]
  /** Of this round. */
  readonly #outcomes: (Outcome | undefined)[] = []
  readonly #sights: (Sight | undefined)[] = []

  /** @param entry what the first steps see */
  constructor(plan: Plan, progress: Progress, entry: { state: State; loopCount: number }) {
    this.#plan = plan
    this.#progress = progress
    this.#entry = { ...entry, history: [], origin: -1, outcomes: new Set() }
    this.#bases = plan.nodes.map(() => this.#entry)
  }

  /** Takes in a finished step, before its progress does: its trace item's output, state and chat history. */
  add(node: PlanNode, data: TraceItem['data']): void {
    const before = this.before(node)
    const state = data.state ?? before.state
    const turns = data.chatHistory ?? []
    this.#outcomes[node.index] = {
      id: node.id,
      output: data.output ?? {},
      changed: changes(before.state, state),
      turns,
      after: { state, history: turns.length > 0 ? [...before.history, ...turns] : before.history },
    }
  }

  /** Takes in a jump, after the step that let it happen. */
  jump({ target, count, knew }: Jump): void {
    const base = { ...this.#gather(target.round, knew), origin: target.node.index, loopCount: count }
    for (const { index } of target.round) {
      this.#bases[index] = base
      this.#outcomes[index] = undefined
      this.#sights[index] = undefined
    }
  }

  /** What a node that may run sees. */
  before(node: PlanNode): Sight {
    const known = this.#sights[node.index]
    if (known) return known
    const sight = this.#inherited(node) ?? extend(this.#baseOf(node), this.#seenBy(node))
    this.#sights[node.index] = sight
    return sight
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
    const latest = now ?? [...this.#baseOf(reader).outcomes].findLast((outcome) => outcome.id === id)
    if (latest) return latest.output
    const share = ({ bits }: { bits: bigint }) => hasBit(bits, node) && hasBit(bits, reader)
    return leadsTo(node, reader) || this.#plan.targets.some(share) ? null : undefined
  }

  /** All finished steps together: the end of the run. */
  end(): Sight {
    return this.#gather(this.#plan.nodes, ALL)
  }

  /** The text of the last node in plan order that gives one, though it be empty: an earlier node spoke to others than the person. */
  text(): string {
    const speaks = (outcome: Outcome | undefined) => outcome?.output.content !== undefined
    const last = this.#outcomes.findLast(speaks) ?? [...this.#gather(this.#plan.nodes, ALL).outcomes].findLast(speaks)
    return last?.output.content ?? ''
  }

  #baseOf({ index }: PlanNode): Base {
    return this.#bases[index] as Base
  }

  /** After a single node of the same round nothing has to be put together. */
  #inherited(node: PlanNode): Sight | undefined {
    const [source, ...more] = this.#progress.cameFrom(node)
    const isAlone = node.incoming.length === 1 || node.policy.join === 'any'
    if (!source || more.length > 0 || !isAlone || !leadsTo(source, node)) return undefined
    return this.#baseOf(source) === this.#baseOf(node) ? this.#outcomes[source.index]?.after : undefined
  }

  #seenBy(node: PlanNode): Outcome[] {
    return this.#within(this.#progress.arrived(node))
  }

  /** The outcomes of these nodes' present occurrences, in plan order. */
  #within(bits: bigint): Outcome[] {
    return this.#plan.nodes.flatMap((node) => (hasBit(bits, node) ? (this.#outcomes[node.index] ?? []) : []))
  }

  /** What these nodes stand on, and then what was left by those whose bits are set. */
  #gather(nodes: readonly PlanNode[], bits: bigint): Base {
    const bases = [...new Set(nodes.map((node) => this.#baseOf(node)))].sort((a, b) => a.origin - b.origin)
    const [first, ...others] = bases
    const added = [...others.flatMap(({ outcomes }) => [...outcomes]), ...this.#within(bits)]
    return extend(first ?? this.#entry, added)
  }
}

/** The base with these outcomes after it, each once. */
function extend(base: Base, added: readonly Outcome[]): Base {
  const outcomes = new Set(base.outcomes)
  const state = { ...base.state }
  const history = [...base.history]
  for (const outcome of added) {
    if (outcomes.has(outcome)) continue
    outcomes.add(outcome)
    Object.assign(state, outcome.changed)
    history.push(...outcome.turns)
  }
  return { ...base, outcomes, state, history }
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
