/** The items of a container that is under way: which have begun, what they ended in, and the state that they leave. */
import type { IterationContext } from '#contract/events.ts'
import type { ItemResult } from '../nodes/types.ts'
import type { Frame } from './frame.ts'
import type { State } from './step-views.ts'

export interface StartedIteration {
  items: unknown[]
  /** 1: in order, each sees the state that the one before left. More: all see the state at entry. */
  atOnce: number
  onError: 'continue' | 'stop'
}

/** What the run does for a container. */
export interface IterationHost {
  /** A frame for one item, with what the log has of it. */
  open(iteration: IterationContext, state: State): Frame
  /** Queues what may run in it. */
  enter(frame: Frame): void
  end(results: ItemResult[], state: State): void
  fail(thrown: unknown): void
}

export class Iterations {
  readonly #host: IterationHost
  readonly #begun: StartedIteration
  readonly #entry: State
  /** What the first items left: up to one that is still under way. */
  #state: State
  #merged = 0
  readonly #frames = new Map<Frame, number>()
  readonly #ended: { result: ItemResult; changed: State }[] = []
  #started = 0
  #endedCount = 0
  #under = 0
  #isOver = false

  constructor(host: IterationHost, begun: StartedIteration, entry: State) {
    this.#host = host
    this.#begun = begun
    this.#entry = entry
    this.#state = entry
  }

  /** Begins as many items as may be under way. Items that wait for a person let others pass, unless each needs the one before. */
  advance(): void {
    while (this.#mayBegin()) this.#begin(this.#started++)
    if (this.#isOver || this.#endedCount < this.#begun.items.length) return
    this.#isOver = true
    this.#host.end(
      this.#ended.map(({ result }) => result),
      this.#state,
    )
  }

  /** Nothing is under way in this item's frame any more. */
  rest(frame: Frame): void {
    if (this.#isOver) return
    this.#under--
    if (!frame.signal.aborted || frame.failure !== undefined) {
      this.#settle(frame)
      this.advance()
    } else if (this.#under === 0) this.#giveUp(frame.signal.reason)
  }

  /** A step of this item's frame failed for good. */
  fail(frame: Frame, error: string): void {
    if (this.#isOver) return
    if (this.#begun.onError === 'continue') {
      frame.failure = error
      frame.stop(new Error('Another step of this item failed'))
    } else this.#giveUp(new Error(`Error in item ${(this.#frames.get(frame) ?? 0) + 1}: ${error}`))
  }

  /** The frames in which somebody is waited for, in item order. */
  *waiting(): Generator<Frame> {
    for (const [frame] of [...this.#frames].sort(([, a], [, b]) => a - b)) if (frame.failure === undefined) yield frame
  }

  #mayBegin(): boolean {
    if (this.#isOver || this.#started >= this.#begun.items.length) return false
    return this.#begun.atOnce > 1 ? this.#under < this.#begun.atOnce : this.#endedCount === this.#started
  }

  #begin(index: number): void {
    const { items, atOnce } = this.#begun
    const iteration = { index, value: items[index], isFirst: index === 0, isLast: index === items.length - 1 }
    const frame = this.#host.open(iteration, atOnce > 1 ? this.#entry : this.#state)
    this.#frames.set(frame, index)
    if (frame.failure === undefined && frame.scheduler.ready().length > 0) {
      this.#under++
      this.#host.enter(frame)
    } else this.#settle(frame)
  }

  /** An item that failed leaves no state: what its other steps had done by then is a matter of chance. */
  #settle(frame: Frame): void {
    const index = this.#frames.get(frame)
    if (index === undefined || (frame.failure === undefined && !frame.scheduler.isDone)) return
    this.#frames.delete(frame)
    this.#endedCount++
    const result = frame.failure === undefined ? { text: frame.text() } : { text: '', error: frame.failure }
    this.#ended[index] = { result, changed: frame.failure === undefined ? frame.left() : {} }
    for (let next = this.#ended[this.#merged]; next; next = this.#ended[this.#merged]) {
      this.#state = { ...this.#state, ...next.changed }
      this.#merged++
    }
  }

  #giveUp(reason: unknown): void {
    this.#isOver = true
    for (const frame of this.#frames.keys()) frame.stop(reason)
    this.#host.fail(reason)
  }
}
