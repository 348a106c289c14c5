/** The turns of one group of a team: which have started, how they ended, and their combined state. */
import type { IterationContext } from '#contract/runs/events.ts'
import type { EndedTurn, Group, NextTurn } from '../nodes/types.ts'
import type { Frame } from './frame.ts'
import type { State } from './step-views.ts'

/** A turn that starts. */
export interface OpenTurn {
  turn: NextTurn
  iteration: IterationContext
  state: State
}

/** The operations that a group needs from its container. */
interface GroupHost {
  /** Opens a frame for a turn, restored from the log. */
  open(turn: OpenTurn): Frame
  /** Queues the frame's ready steps. */
  enter(frame: Frame): void
}

/** The point from which a group goes on. */
interface GroupStart {
  /** Number of turns before this group. */
  firstIndex: number
  state: State
}

export type GroupResult = { ended: EndedTurn[]; state: State } | { failure: unknown }

export class TurnGroup {
  readonly #host: GroupHost
  readonly #group: Group
  readonly #firstIndex: number
  readonly #entry: State
  /** The state after the leading ended turns. */
  #state: State
  #merged = 0
  readonly #frames = new Map<Frame, number>()
  readonly #ended: { turn: EndedTurn; changed: State }[] = []
  #started = 0
  #endedCount = 0
  #activeCount = 0
  #result?: GroupResult

  constructor(host: GroupHost, group: Group, { firstIndex, state }: GroupStart) {
    this.#host = host
    this.#group = group
    this.#firstIndex = firstIndex
    this.#entry = state
    this.#state = state
  }

  /** Undefined while turns are under way. */
  get result(): GroupResult | undefined {
    return this.#result
  }

  /** Starts turns up to the concurrency limit. Turns that wait for a person don't count, unless turns run sequentially. */
  advance(): void {
    while (this.#canStart()) this.#startTurn(this.#started++)
    if (this.#result || this.#endedCount < this.#group.turns.length) return
    this.#result = { ended: this.#ended.map(({ turn }) => turn), state: this.#state }
  }

  /** Called when a turn's frame has no active steps. */
  rest(frame: Frame): void {
    if (this.#result) return
    this.#activeCount--
    if (!frame.signal.aborted || frame.failure !== undefined) {
      this.#settle(frame)
      this.advance()
    } else if (this.#activeCount === 0) this.#stopAll(frame.signal.reason)
  }

  /** Called when a step of this turn's frame has failed for good. */
  fail(frame: Frame, error: string): void {
    if (this.#result) return
    if (this.#group.onError === 'continue') {
      frame.failure = error
      frame.stop(new Error('Another step of this item failed'))
    } else this.#stopAll(new Error(`Error in ${this.#nameOf(this.#frames.get(frame) ?? 0)}: ${error}`))
  }

  /** Yields the unfinished frames in the order of their turns. */
  *waiting(): Generator<Frame> {
    for (const [frame] of [...this.#frames].sort(([, a], [, b]) => a - b)) if (frame.failure === undefined) yield frame
  }

  #canStart(): boolean {
    if (this.#result || this.#started >= this.#group.turns.length) return false
    return this.#group.atOnce > 1 ? this.#activeCount < this.#group.atOnce : this.#endedCount === this.#started
  }

  #startTurn(position: number): void {
    const frame = this.#open(position)
    this.#frames.set(frame, position)
    if (frame.failure === undefined && frame.scheduler.ready().length > 0) {
      this.#activeCount++
      this.#host.enter(frame)
    } else this.#settle(frame)
  }

  #open(position: number): Frame {
    const { turns, atOnce, isFinal = false } = this.#group
    const turn = this.#turnAt(position)
    const index = this.#firstIndex + position
    const isLast = isFinal && position === turns.length - 1
    const iteration = { index, value: turn.value, isFirst: index === 0, isLast }
    return this.#host.open({ turn, iteration, state: atOnce > 1 ? this.#entry : this.#state })
  }

  /** Records how a turn ended. Discards the state of a failed turn, which depends on timing. */
  #settle(frame: Frame): void {
    const position = this.#frames.get(frame)
    if (position === undefined || (frame.failure === undefined && !frame.scheduler.isDone)) return
    this.#frames.delete(frame)
    this.#endedCount++
    const { member } = this.#turnAt(position)
    const ended = frame.failure === undefined ? { text: frame.text() } : { text: '', error: frame.failure }
    this.#ended[position] = {
      turn: { index: this.#firstIndex + position, member, ...ended },
      changed: frame.failure === undefined ? frame.changedState() : {},
    }
    for (let next = this.#ended[this.#merged]; next; next = this.#ended[this.#merged]) {
      this.#state = { ...this.#state, ...next.changed }
      this.#merged++
    }
  }

  #turnAt(position: number): NextTurn {
    return this.#group.turns[position] as NextTurn
  }

  /** The items of an iteration are turns without a member's name. */
  #nameOf(position: number): string {
    return `${this.#turnAt(position).member === '' ? 'item' : 'turn'} ${this.#firstIndex + position + 1}`
  }

  #stopAll(reason: unknown): void {
    this.#result = { failure: reason }
    for (const frame of this.#frames.keys()) frame.stop(reason)
  }
}
