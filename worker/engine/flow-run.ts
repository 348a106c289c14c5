/** Executes one run. Steps of all plans share one queue; a finished step adds the steps that it makes ready. */

import { errorMessage } from '#contract/errors.ts'
import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import type { ChatTurn, RunState, UsageMetadata } from '#contract/runs/events.ts'
import type { LimitName } from '#contract/runs/limits.ts'
import { placeOfStep } from '#contract/runs/step-paths.ts'
import { addUsage } from '#contract/runs/usage.ts'
import type { StepResult, Team } from '../nodes/types.ts'
import { TOO_MUCH } from './budget.ts'
import { Container } from './container.ts'
import { type Prepared, prepare } from './context.ts'
import { Frame, type FrameOptions } from './frame.ts'
import { HumanInputs } from './human-inputs.ts'
import { meaningOf } from './log-rows.ts'
import { backEdgeOutputs } from './loops.ts'
import type { Plan, PlanNode } from './plan.ts'
import { updateState } from './resolve-inputs.ts'
import { withOwnOutput } from './scope.ts'
import { withoutSecrets } from './secret-stream.ts'
import { skippedStep } from './skipped-step.ts'
import { type Attempt, attempts, type Step, usedUntil } from './step.ts'
import { type Entry, StepWriter } from './step-writer.ts'
import { StreamOrder } from './stream-order.ts'
import type { RunOutcome, RunRequest, StepRow } from './types.ts'
import { UsageMeter } from './usage-meter.ts'

const MAX_CONCURRENT_STEPS = 8
/** Milliseconds. A longer timer fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1
const CANCELLED = 'Flow execution was canceled'

interface End {
  state: RunState
  error?: string
  limit?: LimitName
}

export class FlowRun {
  readonly #request: RunRequest
  readonly #writer: StepWriter
  readonly #stream: StreamOrder
  readonly #meter: UsageMeter
  readonly #humanInputs: HumanInputs
  readonly #root: Frame
  readonly #stop = new AbortController()
  /** Rows of earlier attempts, by frame. */
  readonly #restored: ReadonlyMap<string, StepRow[]>
  readonly #queue: { frame: Frame; node: PlanNode }[] = []
  readonly #atRest = Promise.withResolvers<void>()
  #running = 0
  #pastHistory: readonly ChatTurn[]
  #end: End = { state: 'FINISHED' }

  constructor(plan: Plan, given: RunRequest) {
    const request = { ...given, emit: withoutSecrets(given.emit, given.secrets) }
    this.#request = request
    this.#writer = new StepWriter(request)
    this.#stream = new StreamOrder(request.emit)
    this.#meter = new UsageMeter(request.limits)
    this.#humanInputs = new HumanInputs(request.identity.executionId)
    this.#pastHistory = request.pastHistory
    const done = request.done.toSorted((a, b) => a.seq - b.seq)
    this.#restored = Map.groupBy(done, ({ path }) => placeOfStep(path))
    for (const row of done) this.#remember(row)
    this.#root = this.#openFrame({ plan, place: '', state: request.carriedState ?? {}, signal: this.#stop.signal })
  }

  async outcome(): Promise<RunOutcome> {
    const { signal } = this.#request
    const cancel = () => this.#stopAll({ state: 'TERMINATED', error: CANCELLED })
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const { totalTokens, totalCost } = this.#writer.trace.totals()
    this.#spend({ total_tokens: totalTokens, total_cost: totalCost ?? 0 })
    const timer = this.#startTimer()
    this.#enter(this.#root)
    this.#pump()
    if (this.#root.busy > 0) await this.#atRest.promise
    // With a reason: without one, an exception is made for it.
    timer.abort('ended')
    signal.removeEventListener('abort', cancel)
    return this.#close()
  }

  #close(): RunOutcome {
    const { emit, secrets } = this.#request
    const { trace } = this.#writer
    const waiting = this.#stop.signal.aborted ? [] : [...this.#root.waiting()]
    const asked = this.#humanInputs.at(waiting[0])
    if (asked) this.#end = { state: 'STOPPED' }
    trace.send()
    emit({ event: 'agentFlowEvent', data: this.#end.state })
    const action = asked && secrets.redact(asked.action)
    if (action) emit({ event: 'action', data: action })
    return {
      ...this.#end,
      text: secrets.redact(asked ? asked.content : this.#root.text()),
      ...(action && { action, waiting: waiting.length }),
      trace: trace.items,
      flowState: secrets.redact({ ...this.#root.end() }),
      ...trace.totals(),
    }
  }

  #stopAll(end: End): void {
    if (this.#stop.signal.aborted) return
    this.#end = end
    this.#stop.abort(new DOMException(CANCELLED, 'AbortError'))
  }

  #stopAtLimit(limit: LimitName): void {
    this.#stopAll({ state: limit === 'time' ? 'TIMEOUT' : 'TERMINATED', error: this.#meter.reason(limit), limit })
  }

  #startTimer(): AbortController {
    const { clock, secondsBefore } = this.#request
    const timer = new AbortController()
    const seconds = this.#meter.secondsLeft(secondsBefore)
    const end = () => {
      if (!timer.signal.aborted) this.#stopAtLimit('time')
    }
    if (seconds === 0) end()
    else if (seconds !== null) clock.sleep(Math.min(seconds * 1000, MAX_TIMER_MS), timer.signal).then(end, () => {})
    return timer
  }

  #spend(usage: Pick<UsageMetadata, 'total_tokens' | 'total_cost'>): void {
    const passed = this.#meter.charge(usage)
    if (passed) this.#stopAtLimit(passed)
  }

  // The log of earlier attempts

  /** Restores everything but the scheduler's state from a row. */
  #remember(row: StepRow): void {
    this.#request.secrets.add(row.withheld?.secrets ?? [])
    this.#writer.restore(row)
    if (!row.isCopied) this.#meter.countStep(row.path)
    this.#note(row)
  }

  #note(row: StepRow): void {
    this.#humanInputs.take(row)
    if (meaningOf(row) === 'ended' && row.item.data.output?.ephemeralMemory) this.#pastHistory = []
  }

  #openFrame(options: FrameOptions): Frame {
    const frame = new Frame(options)
    frame.restore(this.#restored.get(options.place) ?? [])
    return frame
  }

  // The queue

  #enter(frame: Frame, nodes = frame.scheduler.ready()): void {
    for (const node of nodes) this.#queue.push({ frame, node })
    for (let outer: Frame | undefined = frame; outer; outer = outer.inside?.frame) outer.busy += nodes.length
  }

  /** Counts down the active steps. A frame without active steps has ended or waits for a person. */
  #leave(frame: Frame): void {
    for (let outer: Frame | undefined = frame; outer; outer = outer.inside?.frame) {
      outer.busy--
      if (outer.busy > 0) continue
      const { inside } = outer
      if (inside) inside.frame.containers.get(inside.container)?.rest(outer)
      else this.#atRest.resolve()
    }
  }

  #pump(): void {
    while (this.#running < MAX_CONCURRENT_STEPS) {
      const next = this.#queue.shift()
      if (!next) return
      this.#start(next.frame, next.node)
    }
  }

  #start(frame: Frame, node: PlanNode): void {
    const path = frame.pathOf(node)
    if (!frame.signal.aborted && !this.#meter.countStepWithinLimit(path)) this.#stopAtLimit('steps')
    if (frame.signal.aborted) {
      this.#leave(frame)
      return
    }
    const step: Step = { frame, node, path, startedAt: this.#writer.now(), ...usedUntil(this.#writer.trace.at(path)) }
    this.#writer.emitStatus(step, 'INPROGRESS')
    if (node.isDisabled) {
      this.#guarded(step, () => this.#conclude(step, 'FINISHED', skippedStep(step)))
      this.#leave(frame)
    } else if (node.team) {
      this.#openContainer(step, node.team)
      this.#leave(frame)
    } else {
      this.#running++
      void this.#work(step)
    }
  }

  // Steps

  async #work(step: Step): Promise<void> {
    let prepared: Prepared | undefined
    try {
      const result = await attempts(step, this.#request.clock, async (attempt) => {
        prepared = this.#prepare(step, attempt)
        return step.node.type.run(prepared.context)
      })
      this.#finish(step, prepared as Prepared, result)
    } catch (error) {
      this.#fail(step, error)
    } finally {
      this.#running--
      this.#stream.leave(step.path)
      this.#leave(step.frame)
      this.#pump()
    }
  }

  #prepare(step: Step, { signal, isOpen }: Attempt): Prepared {
    return prepare(step, {
      request: this.#request,
      pastHistory: this.#pastHistory,
      answered: this.#humanInputs.answered(step.path),
      signal,
      emit: (event) => {
        if (isOpen()) this.#stream.send(step.path, event)
      },
      charge: (usage) => {
        step.usage = addUsage(step.usage, usage)
        this.#spend(usage)
      },
    })
  }

  #finish(step: Step, { context, lookup, updates }: Prepared, result: StepResult): void {
    const { input, output, shown, chatHistory, turn, wait, jumpTo, takenOutputs } = result
    if (wait) {
      this.#wait(step, { ...result, state: result.state ?? context.state }, wait)
      return
    }
    const back = jumpTo === undefined ? undefined : backEdgeOutputs(step.node, jumpTo)
    if (jumpTo !== undefined && !back) throw new Error(`Cannot jump back to "${jumpTo}": it loops back to another node`)
    const state = updateState(result.state ?? context.state, updates, withOwnOutput(lookup, result))
    const data = { input, output, state, ...(chatHistory && { chatHistory }), ...(turn && { turn }) }
    this.#conclude(step, 'FINISHED', { data, shown, takenOutputs: back ?? takenOutputs })
  }

  /** Writes the step's final row and queues the steps that are now ready. */
  #conclude(step: Step, status: 'FINISHED' | 'ERROR', entry: Omit<Entry, 'status'>) {
    this.#write(step, { status, ...entry }, (row) => {
      this.#note(row)
      step.frame.containers.delete(step.node)
      this.#enter(step.frame, step.frame.take(step.node, row))
    })
  }

  #wait(
    step: Step,
    { input, output, state }: StepResult,
    { input: question, kept }: NonNullable<StepResult['wait']>,
  ): void {
    const humanInputAction = this.#humanInputs.ask(step, question)
    const data = { input, output: { ...output, humanInputAction }, state, kept }
    this.#write(step, { status: 'STOPPED', data }, (row) => {
      this.#note(row)
      step.frame.scheduler.wait(step.node)
    })
  }

  /** Writes a row and continues the run from it. Ends the run when its log exceeds the size limit. */
  #write(step: Step, entry: Entry, take: (row: StepRow) => void): void {
    if (!this.#writer.write(step, entry, take)) this.#stopAll({ state: 'ERROR', error: TOO_MUCH })
  }

  /** Handles a failed step: takes the error branch, fails the turn of a container, or ends the run. */
  #fail(step: Step, cause: unknown): void {
    const { node, frame } = step
    if (frame.signal.aborted) {
      this.#writer.write(step, { status: 'TERMINATED', data: { error: errorMessage(frame.signal.reason) } })
      return
    }
    const message = this.#request.secrets.redact(errorMessage(cause))
    const error = `Error in ${node.label} node: ${message}`
    if (node.policy.onError === 'branch') {
      const data = { output: { content: message, error: message }, state: frame.before(node).state, error }
      this.#conclude(step, 'ERROR', { data, takenOutputs: [ERROR_OUTPUT] })
      return
    }
    this.#writer.write(step, { status: 'ERROR', data: { error } })
    const { inside } = frame
    if (inside) inside.frame.containers.get(inside.container)?.fail(frame, error)
    else this.#stopAll({ state: 'ERROR', error })
  }

  #openContainer(step: Step, team: Team): void {
    this.#guarded(step, () => {
      const prepared = this.#prepare(step, { signal: step.frame.signal, isOpen: () => true })
      const container = new Container(
        { step, prepared, team },
        {
          isInLog: (place) => this.#restored.has(place),
          openFrame: (options) => this.#openFrame(options),
          enter: (frame) => this.#enter(frame),
          finish: (ended, result) => this.#finish(step, ended, result),
          fail: (error) => this.#fail(step, error),
        },
      )
      step.frame.containers.set(step.node, container)
      container.start()
    })
  }

  #guarded(step: Step, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#fail(step, error)
    }
  }
}
