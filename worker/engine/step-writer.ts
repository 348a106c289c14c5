/** Writes a run's rows to the log and the trace, and notifies clients. */

import { flattened } from '#contract/data/json.ts'
import type { StepOutput, StepStatus, TraceData } from '#contract/runs/events.ts'
import { Budget, LEFT_OUT, TOO_MUCH } from './budget.ts'
import type { Redactor } from './redactor.ts'
import { type Step, usedBy } from './step.ts'
import { Trace } from './trace.ts'
import type { RunRequest, StepRow, Withheld } from './types.ts'

/** The data of a step, without its identity. */
type StepData = Partial<
  Pick<
    TraceData,
    'input' | 'output' | 'state' | 'chatHistory' | 'error' | 'kept' | 'disabled' | 'iterationContext' | 'turn'
  >
>

export interface Entry {
  status: StepStatus
  data: StepData
  /** Replaces output fields in the trace. */
  shown?: StepOutput
  takenOutputs?: number[]
}

export class StepWriter {
  readonly trace: Trace
  readonly #request: RunRequest
  readonly #budget = new Budget()
  #seq = 0

  constructor(request: RunRequest) {
    this.#request = request
    this.trace = new Trace(request.emit)
  }

  /** Restores a row of an earlier attempt. */
  restore(row: StepRow): void {
    this.#seq = Math.max(this.#seq, row.seq + 1)
    this.#budget.restore(row)
    this.trace.restore(row)
  }

  now(): string {
    return this.#request.clock.now().toISOString()
  }

  /** Notifies clients of a step's status. */
  emitStatus({ node, path }: Step, status: StepStatus, error?: string): void {
    const data = { nodeId: node.id, nodeLabel: node.label, status, path, ...(error && { error }) }
    this.#request.emit({ event: 'nextAgentFlow', data })
  }

  /**
   * Writes the row of a step. `take` continues the run before clients are notified.
   * @returns false when the log is full: the step has failed and the run must end
   */
  write(step: Step, entry: Entry, take?: (row: StepRow) => void): boolean {
    const fitting = this.#fitting(step, entry)
    if (fitting) this.#put(step, fitting, take)
    else this.#putClosing(step, take ? { status: 'ERROR', data: { error: TOO_MUCH } } : entry)
    return fitting !== undefined || take === undefined
  }

  /** Returns the complete row, or the row without data for people, depending on the space left. */
  #fitting(step: Step, entry: Entry): StepRow | undefined {
    const whole = this.#budget.has('whole') && this.#rowOf(step, entry)
    if (whole && this.#budget.takes(whole, 'whole')) return whole
    const needed = this.#rowOf(step, withoutUnchanged(step, entry))
    return this.#budget.takes(needed, 'needed') ? needed : undefined
  }

  /** Writes a final row with only the error. Omitted when there is no space even for that. */
  #putClosing(step: Step, { status, data }: Entry): void {
    const failedAttempts = step.failedAttempts.map((failed) => ({ ...failed, error: shortened(failed.error) }))
    const error = shortened(data.error ?? '')
    const row = this.#rowOf({ ...step, failedAttempts }, { status, data: { error } })
    if (this.#budget.takes(row, 'closing')) this.#put(step, row)
    else this.emitStatus(step, status, error)
  }

  #put(step: Step, row: StepRow, take?: (row: StepRow) => void): void {
    this.#seq++
    this.#request.log.append(row)
    take?.(row)
    this.emitStatus(step, row.item.status, row.item.data.error)
    this.trace.add(row)
  }

  #rowOf(step: Step, { status, data: written, shown, takenOutputs }: Entry): StepRow {
    const { node, path, startedAt } = step
    const finishedAt = this.now()
    // SQLite's JSON functions and code that walks a trace support a limited depth.
    const data = flattened({
      id: node.id,
      name: node.name,
      ...written,
      ...outputOf(step, written),
      ...attemptsOf(step),
      ...toIteration(step, written),
    }) as TraceData
    const visible = this.#request.secrets.redact(shown ? { ...data, output: { ...data.output, ...shown } } : data)
    const item = {
      nodeId: node.id,
      nodeLabel: node.label,
      previousNodeIds: step.frame.scheduler.cameFrom(node).map(({ id }) => id),
      status,
      data: visible,
      path,
      startedAt,
      finishedAt,
    }
    return {
      seq: this.#seq,
      path,
      nodeId: node.id,
      takenOutputs: takenOutputs ?? null,
      item,
      ...withheldOf(data, visible, this.#request.secrets),
      startedAt,
      finishedAt,
    }
  }
}

/** Removes what the run does not read: the input, the item of an iteration, and an unchanged state. */
function withoutUnchanged(step: Step, { data, shown, ...entry }: Entry): Entry {
  const { input, state, ...rest } = data
  const isChanged = state !== step.frame.before(step.node).state
  const { iteration } = step.frame.inside ?? {}
  return {
    ...entry,
    data: {
      ...rest,
      ...(input !== undefined && { input: LEFT_OUT }),
      ...(isChanged && { state }),
      ...(iteration && { iterationContext: { ...iteration, value: LEFT_OUT } }),
    },
    ...(shown && { shown }),
  }
}

const shortened = (error: string) => error.slice(0, 500)

/** Returns the values that later steps read and the trace hides. */
function withheldOf(data: TraceData, visible: TraceData, secrets: Redactor): { withheld?: Withheld } {
  const { output, state, chatHistory, kept, turn } = data
  const hidden = Object.entries({ output, state, chatHistory, kept, turn }).filter(
    ([key, value]) => value !== visible[key],
  )
  if (hidden.length === 0) return {}
  const values = Object.fromEntries(hidden)
  return { withheld: { ...values, secrets: secrets.foundIn(values) } }
}

/** Sets the output's usage to what the step was charged. */
function outputOf(step: Step, { output }: StepData): StepData {
  const used = usedBy(step)
  return used ? { output: { ...output, usageMetadata: used } } : {}
}

function attemptsOf({ failedAttempts }: Step): Partial<TraceData> {
  return failedAttempts.length > 0 ? { failedAttempts } : {}
}

function toIteration({ frame: { inside } }: Step, { iterationContext }: StepData): Partial<TraceData> {
  if (!inside) return {}
  const { iteration, container } = inside
  return {
    iterationIndex: iteration.index,
    iterationContext: iterationContext ?? iteration,
    parentNodeId: container.id,
  }
}
