/** One run: its queue, its steps and its end. Steps of all plans share the queue; an ended step puts in what it makes ready. */

import { errorMessage } from '#contract/errors.ts'
import type { ChatTurn, RunEvent, RunState, UsageMetadata } from '#contract/events.ts'
import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import type { LimitName } from '#contract/limits.ts'
import { addUsage } from '#contract/usage.ts'
import type { Iterate, StepResult } from '../nodes/types.ts'
import { TOO_MUCH } from './budget.ts'
import { type ContainerHost, openContainer } from './container.ts'
import { type Prepared, prepare } from './context.ts'
import { Frame, type FrameOptions } from './frame.ts'
import { HumanInputs } from './human-inputs.ts'
import { meaningOf } from './log-rows.ts'
import { placeIn } from './paths.ts'
import type { Plan, PlanNode } from './plan.ts'
import { updateState } from './resolve-inputs.ts'
import { withOwnOutput } from './scope.ts'
import { type Attempt, attempts, type Step, usedUntil } from './step.ts'
import { type Entry, StepWriter } from './step-writer.ts'
import { StreamOrder } from './stream-order.ts'
import type { RunOutcome, RunRequest, StepRow } from './types.ts'
import { UsageMeter } from './usage-meter.ts'

const AT_ONCE = 8
/** Milliseconds; a timer that is longer fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1
const CANCELLED = 'Flow execution was cancelled'

/** Words that people read as they come; nothing that is recorded. */
const isAnswer = ({ event }: RunEvent) => event === 'token' || event === 'artifacts'

interface End {
  state: RunState
  error?: string
  limit?: LimitName
}

export class FlowRun {
  readonly #request: RunRequest
  readonly #ledger: StepWriter
  readonly #floor: StreamOrder
  readonly #meter: UsageMeter
  readonly #questions: HumanInputs
  readonly #root: Frame
  readonly #stop = new AbortController()
  /** Rows of earlier attempts, by the place where their plan runs. */
  readonly #done: ReadonlyMap<string, StepRow[]>
  readonly #queue: { frame: Frame; node: PlanNode }[] = []
  readonly #atRest = Promise.withResolvers<void>()
  #running = 0
  #pastHistory: readonly ChatTurn[]
  #end: End = { state: 'FINISHED' }

  constructor(plan: Plan, request: RunRequest) {
    this.#request = request
    this.#ledger = new StepWriter(request)
    this.#floor = new StreamOrder(request.emit)
    this.#meter = new UsageMeter(request.limits)
    this.#questions = new HumanInputs(request.identity.executionId)
    this.#pastHistory = request.pastHistory
    const done = request.done.toSorted((a, b) => a.seq - b.seq)
    this.#done = Map.groupBy(done, ({ path }) => placeIn(path))
    for (const row of done) this.#remember(row)
    this.#root = this.#openFrame({ plan, place: '', state: request.carriedState ?? {}, signal: this.#stop.signal })
  }

  async outcome(): Promise<RunOutcome> {
    const { signal } = this.#request
    const cancel = () => this.#stopAll({ state: 'TERMINATED', error: CANCELLED })
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const { totalTokens, totalCost } = this.#ledger.trace.totals()
    this.#spend({ total_tokens: totalTokens, total_cost: totalCost ?? 0 })
    const timer = this.#startTimer()
    this.#enter(this.#root)
    this.#pump()
    if (this.#root.busy > 0) await this.#atRest.promise
    timer.abort()
    signal.removeEventListener('abort', cancel)
    return this.#close()
  }

  #close(): RunOutcome {
    const { emit, redact } = this.#request
    const { trace } = this.#ledger
    const waiting = this.#stop.signal.aborted ? [] : [...this.#root.waiting()]
    const asked = this.#questions.at(waiting[0])
    if (asked) this.#end = { state: 'STOPPED' }
    trace.send()
    emit({ event: 'agentFlowEvent', data: this.#end.state })
    const action = asked && redact(asked.action)
    if (action) emit({ event: 'action', data: action })
    return {
      ...this.#end,
      text: asked ? asked.content : this.#root.text(),
      ...(action && { action, waiting: waiting.length }),
      trace: trace.items,
      flowState: { ...this.#root.end() },
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
    else if (seconds !== null) clock.sleep(Math.min(seconds * 1000, LONGEST_TIMER), timer.signal).then(end, () => {})
    return timer
  }

  #spend(usage: Pick<UsageMetadata, 'total_tokens' | 'total_cost'>): void {
    const passed = this.#meter.charge(usage)
    if (passed) this.#stopAtLimit(passed)
  }

  // The log of earlier attempts

  /** What a row says beside what its plan's progress makes of it. */
  #remember(row: StepRow): void {
    this.#ledger.restore(row)
    if (!row.isCopied) this.#meter.countStep(row.path)
    this.#note(row)
  }

  #note(row: StepRow): void {
    this.#questions.take(row)
    if (meaningOf(row) === 'ended' && row.item.data.output?.ephemeralMemory) this.#pastHistory = []
  }

  #openFrame(options: FrameOptions): Frame {
    const frame = new Frame(options)
    frame.restore(this.#done.get(options.place) ?? [])
    return frame
  }

  // The queue

  #enter(frame: Frame, nodes = frame.scheduler.ready()): void {
    for (const node of nodes) this.#queue.push({ frame, node })
    for (let around: Frame | undefined = frame; around; around = around.inside?.frame) around.busy += nodes.length
  }

  /** One step less is queued or under way. A frame that comes to rest has ended, or waits for a person. */
  #leave(frame: Frame): void {
    for (let around: Frame | undefined = frame; around; around = around.inside?.frame) {
      around.busy--
      if (around.busy > 0) continue
      const { inside } = around
      if (inside) inside.frame.items.get(inside.container)?.rest(around)
      else this.#atRest.resolve()
    }
  }

  #pump(): void {
    while (this.#running < AT_ONCE) {
      const next = this.#queue.shift()
      if (!next) return
      this.#start(next.frame, next.node)
    }
  }

  #start(frame: Frame, node: PlanNode): void {
    const path = frame.pathOf(node)
    if (!frame.signal.aborted && !this.#meter.takesStep(path)) this.#stopAtLimit('steps')
    if (frame.signal.aborted) {
      this.#leave(frame)
      return
    }
    const step: Step = { frame, node, path, startedAt: this.#ledger.now(), ...usedUntil(this.#ledger.trace.at(path)) }
    this.#ledger.say(step, 'INPROGRESS')
    if (node.inside && node.type.iterate) {
      this.#openContainer(step, node.inside, node.type.iterate)
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
    } catch (thrown) {
      this.#fail(step, thrown)
    } finally {
      this.#running--
      this.#floor.leave(step.path)
      this.#leave(step.frame)
      this.#pump()
    }
  }

  #prepare(step: Step, { signal, isOpen }: Attempt): Prepared {
    return prepare(step, {
      request: this.#request,
      pastHistory: this.#pastHistory,
      answered: this.#questions.answered(step.path),
      signal,
      emit: (event) => {
        if (isOpen()) this.#floor.say(step.path, isAnswer(event) ? event : this.#request.redact(event))
      },
      charge: (usage) => {
        step.usage = addUsage(step.usage, usage)
        this.#spend(usage)
      },
    })
  }

  #finish(step: Step, { context, lookup, updates }: Prepared, result: StepResult): void {
    const { input, output, shown, chatHistory, wait, jumpTo, takenOutputs } = result
    if (wait) {
      this.#wait(step, { ...result, state: result.state ?? context.state }, wait)
      return
    }
    if (jumpTo !== undefined && jumpTo !== step.node.loopsTo) {
      throw new Error(`It cannot go back to "${jumpTo}": Loop Back To names another node`)
    }
    const state = updateState(result.state ?? context.state, updates, withOwnOutput(lookup, result))
    const data = { input, output, state, ...(chatHistory && { chatHistory }) }
    this.#conclude(step, 'FINISHED', { data, shown, takenOutputs: jumpTo === undefined ? takenOutputs : [] })
  }

  /** Writes the step's last row, and queues what may run now. */
  #conclude(step: Step, status: 'FINISHED' | 'ERROR', entry: Omit<Entry, 'status'>) {
    this.#write(step, { status, ...entry }, (row) => {
      this.#note(row)
      step.frame.items.delete(step.node)
      this.#enter(step.frame, step.frame.take(step.node, row))
    })
  }

  #wait(
    step: Step,
    { input, output, state }: StepResult,
    { input: question, kept }: NonNullable<StepResult['wait']>,
  ): void {
    const humanInputAction = this.#questions.ask(step, question)
    const data = { input, output: { ...output, humanInputAction }, state, kept }
    this.#write(step, { status: 'STOPPED', data }, (row) => {
      this.#note(row)
      step.frame.scheduler.wait(step.node)
    })
  }

  /** Writes a row from which the run goes on; a run that has written too much goes on from none. */
  #write(step: Step, entry: Entry, take: (row: StepRow) => void): void {
    if (!this.#ledger.write(step, entry, take)) this.#stopAll({ state: 'ERROR', error: TOO_MUCH })
  }

  /** A failure goes on at the error branch, ends the item of a container that goes on without it, or ends the run. */
  #fail(step: Step, thrown: unknown): void {
    const { node, frame } = step
    if (frame.signal.aborted) {
      this.#ledger.write(step, { status: 'TERMINATED', data: { error: errorMessage(frame.signal.reason) } })
      return
    }
    const message = this.#request.redact(errorMessage(thrown))
    const error = `Error in ${node.label} node: ${message}`
    if (node.policy.onError === 'branch') {
      const data = { output: { content: message, error: message }, state: frame.before(node).state, error }
      this.#conclude(step, 'ERROR', { data, takenOutputs: [ERROR_OUTPUT] })
      return
    }
    this.#ledger.write(step, { status: 'ERROR', data: { error } })
    const { inside } = frame
    if (inside) inside.frame.items.get(inside.container)?.fail(frame, error)
    else this.#stopAll({ state: 'ERROR', error })
  }

  #openContainer(step: Step, plan: Plan, iterate: Iterate): void {
    const host: ContainerHost = {
      openFrame: (options) => this.#openFrame(options),
      enter: (frame) => this.#enter(frame),
      conclude: (ended, prepared, conclude) => this.#guarded(ended, () => this.#finish(ended, prepared, conclude())),
      fail: (failed, thrown) => this.#fail(failed, thrown),
    }
    this.#guarded(step, () => {
      const prepared = this.#prepare(step, { signal: step.frame.signal, isOpen: () => true })
      openContainer({ step, prepared, plan, iterate }, host)
    })
  }

  #guarded(step: Step, work: () => void): void {
    try {
      work()
    } catch (thrown) {
      this.#fail(step, thrown)
    }
  }
}
