/**
 * What a step sees of the run: the state, the history and the outputs of all nodes above it, in plan order.
 * Nothing beside or below it is seen, so that no result depends on which branch was faster.
 */
import type { ChatTurn, StepOutput, TraceItem } from '#contract/events.ts'
import { leadsTo, type Plan, type PlanNode } from './plan.ts'

type State = Readonly<Record<string, unknown>>

/** What a finished step left. */
interface Outcome {
  output: StepOutput
  /** The state keys that the step itself changed. */
  changed: State
  turns: readonly ChatTurn[]
  /** What a node right below it sees. */
  after: Sight
}

export interface Sight {
  state: State
  history: readonly ChatTurn[]
}

const NOTHING: Sight = { state: {}, history: [] }

export class Fold {
  readonly #plan: Plan
  readonly #outcomes: (Outcome | undefined)[] = []

  constructor(plan: Plan) {
    this.#plan = plan
  }

  /** Takes in a finished step: its trace item's output, state and chat history. */
  add(node: PlanNode, data: TraceItem['data']): void {
    const before = this.before(node)
    const state = data.state ?? before.state
    const turns = data.chatHistory ?? []
    this.#outcomes[node.index] = {
      output: data.output ?? {},
      changed: changes(before.state, state),
      turns,
      after: { state, history: turns.length > 0 ? [...before.history, ...turns] : before.history },
    }
  }

  /** What `node` sees before it runs: changes and history of all that lead to it, merged in plan order. */
  before(node: PlanNode): Sight {
    const [first, ...more] = node.incoming
    if (!first) return NOTHING
    if (more.length === 0) return this.#outcomes[first.source.index]?.after ?? NOTHING
    return this.#merge(this.#plan.nodes.slice(0, node.index).filter((above) => leadsTo(above, node)))
  }

  /** All finished steps together, in plan order: the end of the run. */
  end(): Sight {
    return this.#merge(this.#plan.nodes)
  }

  /** The output of a node above `reader`; null when that node was skipped, undefined when `id` names no node above it. */
  output(id: string, reader: PlanNode): StepOutput | null | undefined {
    const node = this.#plan.byId.get(id)
    if (!node || !leadsTo(node, reader)) return undefined
    return this.#outcomes[node.index]?.output ?? null
  }

  /** The text of the last node in plan order that gives one, though it be empty: an earlier node spoke to others than the person. */
  text(): string {
    return this.#outcomes.findLast((outcome) => outcome?.output.content !== undefined)?.output.content ?? ''
  }

  #merge(nodes: PlanNode[]): Sight {
    const state: Record<string, unknown> = {}
    const history: ChatTurn[] = []
    for (const { index } of nodes) {
      const outcome = this.#outcomes[index]
      if (!outcome) continue
      Object.assign(state, outcome.changed)
      history.push(...outcome.turns)
    }
    return { state, history }
  }
}

function changes(before: State, after: State): State {
  if (before === after) return {}
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !same(before[key], value)))
}

/** Rows read back from the log hold copies: objects are compared by content. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b)
}
