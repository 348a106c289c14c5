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
  /** Aborts when the run or the container stops. */
  signal: AbortSignal
  /** True if the log has rows of the steps of this turn. */
  isInLog(index: number): boolean
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
  /** By position, with holes for turns without a result. */
  readonly #ended: { turn: EndedTurn; changed: State }[] = []
  /** Turns in the log that have not started yet. */
  readonly #restored = new Map<number, Frame>()
  #started = 0
  #endedCount = 0
  #activeCount = 0
  /** True if the end of a turn stopped all others. */
  #isStopped = false
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

  start(): void {
    const { stopsOthers, atOnce } = this.#group
    if (stopsOthers && atOnce > 1) this.#restore()
    this.#advance()
  }

  /** Opens the turns in the log. If one stopped the others, only those that ended before it count, whatever their order. */
  #restore(): void {
    for (const position of this.#group.turns.keys()) {
      if (this.#host.isInLog(this.#firstIndex + position)) this.#restored.set(position, this.#open(position))
    }
    const frames = [...this.#restored]
    const stoppedAt = Math.min(...frames.map(([, frame]) => (this.#stops(frame) ? frame.endedAt : Infinity)))
    for (const [position, frame] of stoppedAt < Infinity ? frames : []) {
      if (hasEnded(frame) && frame.endedAt <= stoppedAt) this.#settle(frame, position)
    }
  }

  /** Starts turns up to the concurrency limit. Turns that wait for a person don't count, unless turns run sequentially. */
  #advance(): void {
    while (this.#canStart()) this.#startTurn(this.#started++)
    const isOver = this.#isStopped ? this.#activeCount === 0 : this.#endedCount === this.#group.turns.length
    if (isOver) this.#result = { ended: this.#ended.flatMap(({ turn }) => turn), state: this.#endState() }
  }

  /** Called when a turn's frame has no active steps. */
  rest(frame: Frame): void {
    if (this.#result) return
    this.#activeCount--
    const { signal } = this.#host
    if (!signal.aborted || frame.failure !== undefined) {
      const position = this.#frames.get(frame)
      if (position !== undefined && hasEnded(frame)) this.#settle(frame, position)
      this.#advance()
    } else if (this.#activeCount === 0) this.#stopAll(signal.reason)
  }

  /** Called when a step of this turn's frame has failed for good. */
  fail(frame: Frame, error: string): void {
    if (this.#result) return
    const position = this.#frames.get(frame) ?? 0
    const noun = this.#nounOf(position)
    if (this.#group.onError === 'continue') {
      frame.failure = error
      frame.stop(new Error(`Another step of this ${noun} failed`))
    } else this.#stopAll(new Error(`Error in ${noun} ${this.#firstIndex + position + 1}: ${error}`))
  }

  /** Yields the unfinished frames in the order of their turns. */
  *waiting(): Generator<Frame> {
    for (const [frame] of [...this.#frames].sort(([, a], [, b]) => a - b)) if (frame.failure === undefined) yield frame
  }

  #canStart(): boolean {
    if (this.#isStopped || this.#started >= this.#group.turns.length) return false
    return this.#group.atOnce > 1 ? this.#activeCount < this.#group.atOnce : this.#endedCount === this.#started
  }

  #startTurn(position: number): void {
    const frame = this.#restored.get(position) ?? this.#open(position)
    if (hasEnded(frame)) {
      this.#settle(frame, position)
      return
    }
    this.#frames.set(frame, position)
    if (frame.scheduler.ready().length === 0) return
    this.#activeCount++
    this.#host.enter(frame)
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
  #settle(frame: Frame, position: number): void {
    const { failure } = frame
    this.#frames.delete(frame)
    this.#endedCount++
    const turn = { index: this.#firstIndex + position, member: this.#turnAt(position).member }
    this.#ended[position] =
      failure === undefined
        ? { turn: { ...turn, text: frame.text(), end: frame.turnEnd() }, changed: frame.changedState() }
        : { turn: { ...turn, text: '', end: { as: 'done' }, error: failure }, changed: {} }
    for (let next = this.#ended[this.#merged]; next; next = this.#ended[this.#merged]) {
      this.#state = { ...this.#state, ...next.changed }
      this.#merged++
    }
    if (this.#stops(frame)) this.#stopOthers()
  }

  #stops(frame: Frame): boolean {
    return frame.failure === undefined && hasEnded(frame) && this.#group.stopsOthers?.(frame.turnEnd()) === true
  }

  /** Stops the turns under way, which leaves them without a result. One that has failed keeps its error. */
  #stopOthers(): void {
    this.#isStopped = true
    for (const frame of this.#frames.keys()) {
      if (frame.failure !== undefined) continue
      this.#frames.delete(frame)
      frame.stop(new Error('Another turn ended this group of turns'))
    }
  }

  /** Returns the state after all turns with a result, including those behind one without. */
  #endState(): State {
    const rest = this.#ended.slice(this.#merged).flatMap(({ changed }) => changed)
    return rest.length > 0 ? Object.assign({ ...this.#state }, ...rest) : this.#state
  }

  #turnAt(position: number): NextTurn {
    return this.#group.turns[position] as NextTurn
  }

  /** The items of an iteration are turns without a member's name. */
  #nounOf(position: number): string {
    return this.#turnAt(position).member === '' ? 'item' : 'turn'
  }

  #stopAll(reason: unknown): void {
    this.#result = { failure: reason }
    for (const frame of this.#frames.keys()) frame.stop(reason)
  }
}

function hasEnded({ failure, scheduler }: Frame): boolean {
  return failure !== undefined || scheduler.isDone
}
