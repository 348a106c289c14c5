/** Runs a flow: a fold over its log of steps. What may run is decided by `next` alone, what a step sees by the fold alone. */
import { errorMessage } from '#contract/errors.ts'
import type { ChatTurn, RunState, StepStatus, TraceData } from '#contract/events.ts'
import { catalogue } from '../nodes/registry.ts'
import type { StepContext, StepResult } from '../nodes/types.ts'
import { Floor } from './floor.ts'
import { Fold, type Sight } from './fold.ts'
import { fate, next } from './next.ts'
import type { Catalogue, Plan, PlanNode } from './plan.ts'
import { Plans } from './plans.ts'
import { resolveInputs, updateState } from './resolve.ts'
import { lookupIn, withOwnOutput } from './scope.ts'
import { Trace } from './trace.ts'
import type { Run, RunOutcome, RunRequest, StepRow } from './types.ts'

const AT_ONCE = 8
const MAX_STEPS = 1000
const CANCELLED = 'Flow execution was cancelled'

/** A `run` over a given set of node types. */
export function createRun(types: Catalogue): Run {
  const plans = new Plans(types)
  return async (request) => {
    request.emit({ event: 'agentFlowEvent', data: 'INPROGRESS' })
    let plan: Plan
    try {
      plan = plans.get(request.planKey, request.flow)
    } catch (thrown) {
      request.emit({ event: 'agentFlowEvent', data: 'ERROR' })
      return {
        state: 'ERROR',
        text: '',
        trace: [],
        error: errorMessage(thrown),
        flowState: {},
        totalTokens: 0,
        totalCost: null,
      }
    }
    return new FlowRun(plan, request).outcome()
  }
}

export const run: Run = createRun(catalogue)

interface Step {
  node: PlanNode
  path: string
  startedAt: string
}

class FlowRun {
  readonly #plan: Plan
  readonly #request: RunRequest
  readonly #fold: Fold
  readonly #trace: Trace
  readonly #floor: Floor
  readonly #stop = new AbortController()
  readonly #log = new Map<string, StepRow>()
  readonly #running = new Set<string>()
  #pastHistory: readonly ChatTurn[]
  #seq = 0
  #end: { state: RunState; error?: string } = { state: 'FINISHED' }

  constructor(plan: Plan, request: RunRequest) {
    this.#plan = plan
    this.#request = request
    this.#fold = new Fold(plan)
    this.#trace = new Trace(request.emit)
    this.#floor = new Floor(request.emit)
    this.#pastHistory = request.pastHistory
  }

  async outcome(): Promise<RunOutcome> {
    const { signal, emit, done } = this.#request
    const cancel = () => this.#stopAll({ state: 'TERMINATED', error: CANCELLED })
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    for (const row of done.toSorted((a, b) => a.seq - b.seq)) this.#replay(row)
    await this.#advance()
    signal.removeEventListener('abort', cancel)
    this.#trace.send()
    emit({ event: 'agentFlowEvent', data: this.#end.state })
    const flowState = { ...this.#fold.end().state }
    return { ...this.#end, text: this.#fold.text(), trace: this.#trace.items, flowState, ...this.#trace.totals() }
  }

  /** Takes a step of an earlier attempt from the log. Steps that did not finish run again. */
  #replay(row: StepRow): void {
    this.#seq = Math.max(this.#seq, row.seq + 1)
    const node = this.#plan.byId.get(row.nodeId)
    if (!node || row.item.status !== 'FINISHED') return
    this.#trace.items.push(row.item)
    this.#takeIn(node, row)
  }

  #takeIn(node: PlanNode, row: StepRow): void {
    this.#log.set(row.path, row)
    this.#fold.add(node, row.item.data)
    if (row.item.data.output?.ephemeralMemory) this.#pastHistory = []
  }

  /** Starts what is ready; resolves when everything that follows from it has ended. */
  async #advance(): Promise<void> {
    await Promise.all(this.#claim().map((step) => this.#work(step)))
  }

  async #work(step: Step): Promise<void> {
    await this.#execute(step)
    await this.#advance()
  }

  #claim(): Step[] {
    if (this.#stop.signal.aborted) return []
    const free = AT_ONCE - this.#running.size
    const paths = next(this.#plan, this.#log)
      .ready.filter((path) => !this.#running.has(path))
      .slice(0, free)
    const limit = this.#request.limits?.maxSteps ?? MAX_STEPS
    if (paths.length > 0 && this.#log.size + this.#running.size + paths.length > limit) {
      this.#stopAll({ state: 'ERROR', error: `The flow was stopped: one run may take ${limit} steps` })
      return []
    }
    return paths.map((path) => {
      this.#running.add(path)
      const node = this.#plan.byId.get(path) as PlanNode
      return { node, path, startedAt: this.#request.clock.now().toISOString() }
    })
  }

  async #execute(step: Step): Promise<void> {
    const { node, path } = step
    this.#say(step, 'INPROGRESS')
    const sight = this.#fold.before(node)
    const lookup = this.#lookup(node, sight)
    try {
      const inputs = resolveInputs(node.inputs, lookup)
      const result = await orStopped(node.type.run(this.#context(step, sight, inputs)), this.#stop.signal)
      const state = updateState(result.state ?? sight.state, node.updates, withOwnOutput(lookup, result.output))
      this.#finish(step, result, state)
    } catch (thrown) {
      this.#fail(step, thrown)
    } finally {
      this.#running.delete(path)
      this.#floor.leave(path)
    }
  }

  #finish(step: Step, result: StepResult, state: Readonly<Record<string, unknown>>): void {
    const { input, output, chatHistory } = result
    const data = { id: step.node.id, name: step.node.name, input, output, state, ...(chatHistory && { chatHistory }) }
    const row = this.#record(step, 'FINISHED', data, result.takenOutputs)
    this.#takeIn(step.node, row)
    this.#say(step, 'FINISHED')
    this.#trace.add(row.item)
  }

  /** The first failure ends the run and stops the other steps; what they then throw is not an error of theirs. */
  #fail(step: Step, thrown: unknown): void {
    const stopped = this.#stop.signal.aborted
    const status = stopped ? 'TERMINATED' : 'ERROR'
    const error = stopped ? CANCELLED : `Error in ${step.node.label} node: ${errorMessage(thrown)}`
    const row = this.#record(step, status, { id: step.node.id, name: step.node.name, error })
    this.#say(step, status, error)
    this.#trace.add(row.item)
    if (!stopped) this.#stopAll({ state: 'ERROR', error })
  }

  #record(step: Step, status: StepStatus, data: TraceData, takenOutputs?: number[]): StepRow {
    const { node, path, startedAt } = step
    const cameFrom = node.incoming.filter((edge) => fate(edge, this.#log) === 'live')
    const previousNodeIds = [...new Set(cameFrom.map(({ source }) => source.id))]
    const row: StepRow = {
      seq: this.#seq++,
      path,
      nodeId: node.id,
      takenOutputs: takenOutputs ?? null,
      item: { nodeId: node.id, nodeLabel: node.label, previousNodeIds, status, data },
      startedAt,
      finishedAt: this.#request.clock.now().toISOString(),
    }
    this.#request.log.append(row)
    return row
  }

  #stopAll(end: { state: RunState; error: string }): void {
    if (this.#stop.signal.aborted) return
    this.#end = end
    this.#stop.abort(new DOMException(CANCELLED, 'AbortError'))
  }

  #say({ node }: Step, status: StepStatus, error?: string): void {
    const data = { nodeId: node.id, nodeLabel: node.label, status, ...(error && { error }) }
    this.#request.emit({ event: 'nextAgentFlow', data })
  }

  #lookup(node: PlanNode, sight: Sight) {
    const { identity, input, variables, clock } = this.#request
    const output = (id: string) => this.#fold.output(id, node)
    return lookupIn({
      identity,
      input,
      variables,
      sight,
      output,
      pastHistory: this.#pastHistory,
      now: () => clock.now(),
    })
  }

  #context({ node, path }: Step, sight: Sight, inputs: Record<string, unknown>): StepContext {
    const { identity, input, variables, egress, sandbox, clock, log, openComponents, carriedState } = this.#request
    const signal = this.#stop.signal
    const idempotencyKey = `${identity.executionId}:${path}`
    return {
      identity,
      node: { id: node.id, name: node.name, label: node.label },
      inputs,
      rawInputs: node.rawInputs,
      input,
      state: node.incoming.length === 0 ? (carriedState ?? {}) : sight.state,
      pastHistory: this.#pastHistory,
      runtimeHistory: sight.history,
      variables,
      isLast: node.outgoing.length === 0,
      loopCount: 0,
      flows: this.#request.flows,
      knowledge: this.#request.knowledge,
      charge: () => {},
      components: openComponents({ id: node.id, inputs, credential: node.credential }, signal),
      egress,
      sandbox,
      clock,
      signal,
      idempotencyKey,
      emit: (event) => {
        if (this.#running.has(path)) this.#floor.say(path, event)
      },
      barrier: () => log.barrier(),
    }
  }
}

/** A node that does not heed the signal cannot hold up the end of the run. */
function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
