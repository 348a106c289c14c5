/** One plan while it runs: the flow's own, or a container's for one of its items. */

import { errorMessage } from '#contract/errors.ts'
import type { IterationContext, StepOutput } from '#contract/events.ts'
import type { Iterations } from './iterations.ts'
import { dataOf, meaningOf } from './log-rows.ts'
import { pathOf } from './paths.ts'
import type { Plan, PlanNode } from './plan.ts'
import { Scheduler } from './scheduler.ts'
import { changes, type State, StepViews } from './step-views.ts'
import type { StepRow } from './types.ts'

/** Where a frame lies: in which container, for which of its items. */
export interface InnerContext {
  frame: Frame
  container: PlanNode
  iteration: IterationContext
  /** A failed step ends its item, not the container. */
  endsAlone: boolean
}

export interface FrameOptions {
  plan: Plan
  place: string
  state: State
  signal: AbortSignal
  inside?: InnerContext
}

export class Frame {
  readonly plan: Plan
  readonly scheduler: Scheduler
  readonly inside?: InnerContext
  /** Aborts when the run, the container or this item is to stop. */
  readonly signal: AbortSignal
  /** The items of the containers that are under way. */
  readonly items = new Map<PlanNode, Iterations>()
  /** Steps that are queued or under way, in the frames within too. */
  busy = 0
  /** Why the item failed. */
  failure?: string
  readonly #fold: StepViews
  readonly #place: string
  readonly #entry: State
  readonly #stop = new AbortController()

  constructor({ plan, place, state, signal, inside }: FrameOptions) {
    this.plan = plan
    this.inside = inside
    this.signal = AbortSignal.any([signal, this.#stop.signal])
    this.scheduler = new Scheduler(plan)
    this.#place = place
    this.#entry = state
    this.#fold = new StepViews(plan, this.scheduler, {
      state,
      loopCount: inside ? inside.frame.loopCount(inside.container) : 0,
    })
  }

  pathOf(node: PlanNode): string {
    return pathOf(node.id, this.scheduler.round(node), this.#place)
  }

  before(node: PlanNode) {
    return this.#fold.before(node)
  }

  /** What a step of `reader` reads of another node: of this plan, or of those around it. */
  output(id: string, reader: PlanNode): StepOutput | null | undefined {
    if (this.plan.byId.has(id) || !this.inside) return this.#fold.output(id, reader)
    return this.inside.frame.output(id, this.inside.container)
  }

  loopCount(node: PlanNode): number {
    return node.loopsTo === undefined ? this.#fold.loopCount(node) : this.scheduler.jumpsOf(node)
  }

  end(): State {
    return this.#fold.end().state
  }

  /** The state keys that its steps changed. */
  left(): State {
    return changes(this.#entry, this.end())
  }

  text(): string {
    return this.#fold.text()
  }

  /** Takes in the row of an ended step; returns what may run now. */
  take(node: PlanNode, row: StepRow): PlanNode[] {
    this.#fold.add(node, dataOf(row))
    const { ready, jumps } = this.scheduler.finish(node, row.takenOutputs)
    for (const jump of jumps) this.#fold.jump(jump)
    return ready
  }

  /** Takes in the rows of an earlier attempt, in order. A row of a step that was not due is of another plan: the step runs when it is due. */
  restore(rows: readonly StepRow[]): void {
    const failures = new Map<string, string>()
    for (const row of rows) {
      const node = this.plan.byId.get(row.nodeId)
      if (!node || row.path !== this.pathOf(node) || !isDue(this.scheduler.phase(node))) continue
      failures.delete(row.path)
      const meaning = meaningOf(row)
      if (meaning === 'ended') this.take(node, row)
      if (meaning === 'waiting') this.scheduler.wait(node)
      if (meaning === 'answered') this.scheduler.answer(node)
      if (meaning === 'failed' && row.item.status === 'ERROR') failures.set(row.path, row.item.data.error ?? '')
    }
    const [failure] = failures.values()
    if (this.inside?.endsAlone) this.failure = failure
  }

  stop(reason: unknown): void {
    this.#stop.abort(new DOMException(errorMessage(reason), 'AbortError'))
  }

  /** The steps that wait for a person, in plan order. */
  *waiting(): Generator<string> {
    for (const node of this.plan.nodes) {
      if (this.scheduler.phase(node) === 'waiting') yield this.pathOf(node)
      for (const frame of this.items.get(node)?.waiting() ?? []) yield* frame.waiting()
    }
  }
}

function isDue(phase: string): boolean {
  return phase === 'ready' || phase === 'waiting'
}
