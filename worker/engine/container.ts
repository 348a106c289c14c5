/** Runs containers: a container has no code of its own, its steps are those of its turns. */
import { itemPlace } from '#contract/runs/step-paths.ts'
import type { Group, StepResult, Team } from '../nodes/types.ts'
import type { Prepared } from './context.ts'
import type { Frame, FrameOptions, OpenContainer } from './frame.ts'
import type { Plan } from './plan.ts'
import type { Step } from './step.ts'
import type { State } from './step-views.ts'
import { type GroupResult, type OpenTurn, TurnGroup } from './turn-group.ts'

/** The operations that a container needs from the run. */
interface ContainerHost {
  /** True if an earlier attempt has rows of the steps at this place. */
  isInLog(place: string): boolean
  /** Opens a frame, restored from the log. */
  openFrame(options: FrameOptions): Frame
  enter(frame: Frame): void
  /** Ends the container's step with a result. May throw. */
  finish(prepared: Prepared, result: StepResult): void
  fail(error: unknown): void
}

interface ContainerOptions {
  step: Step
  prepared: Prepared
  team: Team
}

/** A container in progress. It runs one group of turns after another, as its team decides. */
export class Container implements OpenContainer {
  readonly #options: ContainerOptions
  readonly #host: ContainerHost
  readonly #input: unknown
  #memory: unknown
  #state: State
  #turnCount = 0
  #group?: TurnGroup
  /** True if the latest group has no steps. */
  #isIdle = false
  #isOver = false

  /** Throws what the team throws. */
  constructor(options: ContainerOptions, host: ContainerHost) {
    const { context } = options.prepared
    this.#options = options
    this.#host = host
    this.#state = context.state
    const { memory, input } = options.team.begin(context)
    this.#memory = memory
    this.#input = input
  }

  start(): void {
    this.#guarded(() => this.#openNext())
    this.#advance()
  }

  rest(frame: Frame): void {
    this.#group?.rest(frame)
    this.#advance()
  }

  fail(frame: Frame, error: string): void {
    this.#group?.fail(frame, error)
    this.#advance()
  }

  *waiting(): Generator<Frame> {
    if (this.#group) yield* this.#group.waiting()
  }

  /** Goes on as long as groups are over. A loop, not a recursion: a group whose turns are all in the log is over at once. */
  #advance(): void {
    while (!this.#isOver && this.#group?.result) {
      const { result } = this.#group
      this.#guarded(() => this.#goOn(result))
    }
  }

  #goOn(result: GroupResult): void {
    if ('failure' in result) throw result.failure
    this.#state = result.state
    this.#memory = this.#options.team.after(this.#memory, result.ended)
    this.#openNext()
  }

  /** Opens the next group, or ends the container after the last one. */
  #openNext(): void {
    const group = this.#options.team.next(this.#memory)
    if (!group) {
      this.#end()
      return
    }
    this.#check(group)
    const { frame, path } = this.#options.step
    const host = {
      signal: frame.signal,
      isInLog: (index: number) => this.#host.isInLog(itemPlace(path, index)),
      open: (turn: OpenTurn) => this.#openFrame(group, turn),
      enter: (entered: Frame) => this.#host.enter(entered),
    }
    this.#group = new TurnGroup(host, group, { firstIndex: this.#turnCount, state: this.#state })
    this.#turnCount += group.turns.length
    this.#group.start()
  }

  /** Refuses a group before any of its turns starts. Without a step in between, no limit would end a team that goes on. */
  #check({ turns }: Group): void {
    const plans = turns.map(({ member }) => this.#planOf(member))
    if (this.#isIdle) throw new Error('It goes on although nothing ran in its last turns')
    this.#isIdle = plans.every(({ nodes }) => nodes.length === 0)
  }

  #end(): void {
    const { team, prepared } = this.#options
    const context = { ...prepared.context, state: this.#state }
    this.#isOver = true
    this.#host.finish({ ...prepared, context }, { ...team.end(this.#memory, context), input: this.#input })
  }

  #openFrame({ onError }: Group, { turn, iteration, state }: OpenTurn): Frame {
    const { frame, node, path } = this.#options.step
    return this.#host.openFrame({
      plan: this.#planOf(turn.member),
      place: itemPlace(path, iteration.index),
      state,
      signal: frame.signal,
      inside: { frame, container: node, iteration, endsAlone: onError === 'continue' },
    })
  }

  #planOf(member: string): Plan {
    const plan = this.#options.step.node.members.get(member)
    if (!plan) throw new Error(`"${member}" is not a member of this team`)
    return plan
  }

  /** Ends the container with an error if the work throws one. */
  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#isOver = true
      this.#host.fail(error)
    }
  }
}
