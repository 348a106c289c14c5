/** The items of a container in progress: which have started, their results, and their combined state. */
import type { IterationContext } from '#contract/runs/events.ts'
import type { ItemResult } from '../nodes/types.ts'
import type { Frame } from './frame.ts'
import type { State } from './step-views.ts'

interface StartedIteration {
  items: unknown[]
  /** 1: sequential, each item gets the state of the previous one. More: all items get the initial state. */
  atOnce: number
  onError: 'continue' | 'stop'
}

/** The operations that a container's items need from the run. */
interface IterationHost {
  /** Opens a frame for an item, restored from the log. */
  open(iteration: IterationContext, state: State): Frame
  /** Queues the frame's ready steps. */
  enter(frame: Frame): void
  end(results: ItemResult[], state: State): void
  fail(error: unknown): void
}

export class Iterations {
  readonly #host: IterationHost
  readonly #options: StartedIteration
  readonly #entry: State
  /** The state after the leading finished items. */
  #state: State
  #merged = 0
  readonly #frames = new Map<Frame, number>()
  readonly #ended: { result: ItemResult; changed: State }[] = []
  #started = 0
  #endedCount = 0
  #activeCount = 0
  #isOver = false

  constructor(host: IterationHost, options: StartedIteration, entry: State) {
    this.#host = host
    this.#options = options
    this.#entry = entry
    this.#state = entry
  }

  /** Starts items up to the concurrency limit. Items that wait for a person don't count, unless items run sequentially. */
  advance(): void {
    while (this.#canStart()) this.#startItem(this.#started++)
    if (this.#isOver || this.#endedCount < this.#options.items.length) return
    this.#isOver = true
    this.#host.end(
      this.#ended.map(({ result }) => result),
      this.#state,
    )
  }

  /** Called when an item's frame has no active steps. */
  rest(frame: Frame): void {
    if (this.#isOver) return
    this.#activeCount--
    if (!frame.signal.aborted || frame.failure !== undefined) {
      this.#settle(frame)
      this.advance()
    } else if (this.#activeCount === 0) this.#stopAll(frame.signal.reason)
  }

  /** Called when a step of this item's frame has failed for good. */
  fail(frame: Frame, error: string): void {
    if (this.#isOver) return
    if (this.#options.onError === 'continue') {
      frame.failure = error
      frame.stop(new Error('Another step of this item failed'))
    } else this.#stopAll(new Error(`Error in item ${(this.#frames.get(frame) ?? 0) + 1}: ${error}`))
  }

  /** Yields the unfinished frames in item order. */
  *waiting(): Generator<Frame> {
    for (const [frame] of [...this.#frames].sort(([, a], [, b]) => a - b)) if (frame.failure === undefined) yield frame
  }

  #canStart(): boolean {
    if (this.#isOver || this.#started >= this.#options.items.length) return false
    return this.#options.atOnce > 1 ? this.#activeCount < this.#options.atOnce : this.#endedCount === this.#started
  }

  #startItem(index: number): void {
    const { items, atOnce } = this.#options
    const iteration = { index, value: items[index], isFirst: index === 0, isLast: index === items.length - 1 }
    const frame = this.#host.open(iteration, atOnce > 1 ? this.#entry : this.#state)
    this.#frames.set(frame, index)
    if (frame.failure === undefined && frame.scheduler.ready().length > 0) {
      this.#activeCount++
      this.#host.enter(frame)
    } else this.#settle(frame)
  }

  /** Records an item's result. Discards the state of a failed item, which depends on timing. */
  #settle(frame: Frame): void {
    const index = this.#frames.get(frame)
    if (index === undefined || (frame.failure === undefined && !frame.scheduler.isDone)) return
    this.#frames.delete(frame)
    this.#endedCount++
    const result = frame.failure === undefined ? { text: frame.text() } : { text: '', error: frame.failure }
    this.#ended[index] = { result, changed: frame.failure === undefined ? frame.changedState() : {} }
    for (let next = this.#ended[this.#merged]; next; next = this.#ended[this.#merged]) {
      this.#state = { ...this.#state, ...next.changed }
      this.#merged++
    }
  }

  #stopAll(reason: unknown): void {
    this.#isOver = true
    for (const frame of this.#frames.keys()) frame.stop(reason)
    this.#host.fail(reason)
  }
}
