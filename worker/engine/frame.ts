/** The execution of one plan: of the flow itself, or of a member of a container for one turn. */

import { errorMessage } from '#contract/errors.ts'
import type { IterationContext, StepOutput, TurnEnd } from '#contract/runs/events.ts'
import { stepPath } from '#contract/runs/step-paths.ts'
import { dataOf, meaningOf } from './log-rows.ts'
import type { Plan, PlanNode } from './plan.ts'
import { Scheduler } from './scheduler.ts'
import { changes, type State, StepViews } from './step-views.ts'
import type { StepRow } from './types.ts'

/** A container in progress, as its frames see it. */
export interface OpenContainer {
  /** Called when a frame inside has no active steps. */
  rest(frame: Frame): void
  /** Called when a step of a frame inside has failed for good. */
  fail(frame: Frame, error: string): void
  /** Yields the unfinished frames in the order of their turns. */
  waiting(): Iterable<Frame>
}

/** The container and the turn that a frame belongs to. */
interface InnerContext {
  frame: Frame
  container: PlanNode
  iteration: IterationContext
  /** True if a failed step fails only its turn, not the container. */
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
  /** Aborts when the run, the container or this turn stops. */
  readonly signal: AbortSignal
  /** Containers in progress. */
  readonly containers = new Map<PlanNode, OpenContainer>()
  /** Number of queued and running steps, including inner frames. */
  busy = 0
  /** The error of a failed turn. */
  failure?: string
  /** `seq` of its latest row that ended a step, or of the row of its failure. -1 before there is one. */
  endedAt = -1
  readonly #views: StepViews
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
    this.#views = new StepViews(plan, this.scheduler, {
      state,
      loopCount: inside ? inside.frame.loopCount(inside.container) : 0,
    })
  }

  pathOf(node: PlanNode): string {
    return stepPath(node.id, this.scheduler.round(node), this.#place)
  }

  before(node: PlanNode) {
    return this.#views.before(node)
  }

  /** Returns the output of a node of this plan or an outer one, as visible to `reader`. */
  output(id: string, reader: PlanNode): StepOutput | null | undefined {
    if (this.plan.byId.has(id) || !this.inside) return this.#views.output(id, reader)
    return this.inside.frame.output(id, this.inside.container)
  }

  loopCount(node: PlanNode): number {
    return node.backEdges.length === 0 ? this.#views.loopCount(node) : this.scheduler.jumpsOf(node)
  }

  end(): State {
    return this.#views.end().state
  }

  /** Returns the state keys that its steps changed. */
  changedState(): State {
    return changes(this.#entry, this.end())
  }

  text(): string {
    return this.#views.text()
  }

  turnEnd(): TurnEnd {
    return this.#views.turnEnd() ?? { as: 'done' }
  }

  /** Applies the row of a finished step. Returns the steps that are now ready. */
  take(node: PlanNode, row: StepRow): PlanNode[] {
    this.#views.add(node, dataOf(row))
    const { ready, jumps } = this.scheduler.finish(node, row.takenOutputs)
    for (const jump of jumps) this.#views.jump(jump)
    this.endedAt = row.seq
    return ready
  }

  /** Applies the rows of an earlier attempt, in order. Ignores rows of steps that are not due, which stem from another plan. */
  restore(rows: readonly StepRow[]): void {
    const failures = new Map<string, StepRow>()
    for (const row of rows) {
      const node = this.plan.byId.get(row.nodeId)
      if (!node || row.path !== this.pathOf(node) || !isDue(this.scheduler.phase(node))) continue
      failures.delete(row.path)
      const meaning = meaningOf(row)
      if (meaning === 'ended') this.take(node, row)
      if (meaning === 'waiting') this.scheduler.wait(node)
      if (meaning === 'answered') this.scheduler.answer(node)
      if (meaning === 'failed' && row.item.status === 'ERROR') failures.set(row.path, row)
    }
    const [failure] = failures.values()
    if (!failure || !this.inside?.endsAlone) return
    this.failure = failure.item.data.error ?? ''
    this.endedAt = failure.seq
  }

  stop(reason: unknown): void {
    this.#stop.abort(new DOMException(errorMessage(reason), 'AbortError'))
  }

  /** Yields the paths of steps that wait for a person, in plan order. */
  *waiting(): Generator<string> {
    for (const node of this.plan.nodes) {
      if (this.scheduler.phase(node) === 'waiting') yield this.pathOf(node)
      for (const frame of this.containers.get(node)?.waiting() ?? []) yield* frame.waiting()
    }
  }
}

function isDue(phase: string): boolean {
  return phase === 'ready' || phase === 'waiting'
}
