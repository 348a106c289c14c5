/** What a run writes down: each row goes to the log and into the trace, and clients hear of it. */
import type { StepOutput, StepStatus, TraceData } from '#contract/events.ts'
import { flattened } from '#contract/json.ts'
import { type Step, usedBy } from './step.ts'
import { Trace } from './trace.ts'
import type { RunRequest, StepRow, Withheld } from './types.ts'

/** What a step leaves, beside who it is. */
export type Written = Partial<Pick<TraceData, 'input' | 'output' | 'state' | 'chatHistory' | 'error' | 'kept'>>

export interface Entry {
  status: StepStatus
  data: Written
  /** Stands in the trace in place of the output's own fields. */
  shown?: StepOutput
  takenOutputs?: number[]
}

export class Ledger {
  readonly trace: Trace
  readonly #request: RunRequest
  #seq = 0

  constructor(request: RunRequest) {
    this.#request = request
    this.trace = new Trace(request.emit)
  }

  /** A row of an earlier attempt. */
  restore(row: StepRow): void {
    this.#seq = Math.max(this.#seq, row.seq + 1)
    this.trace.restore(row)
  }

  now(): string {
    return this.#request.clock.now().toISOString()
  }

  /** Tells clients where a step stands. */
  say({ node, path }: Step, status: StepStatus, error?: string): void {
    const data = { nodeId: node.id, nodeLabel: node.label, status, path, ...(error && { error }) }
    this.#request.emit({ event: 'nextAgentFlow', data })
  }

  /** Writes the row of a step. `take` lets the run go on from it before clients hear of it. */
  write(step: Step, { status, data: written, shown, takenOutputs }: Entry, take?: (row: StepRow) => void): void {
    const { node, path, startedAt } = step
    const finishedAt = this.now()
    // SQLite's JSON functions, and whatever walks a trace, end at some depth.
    const data = flattened({
      id: node.id,
      name: node.name,
      ...written,
      ...outputOf(step, written),
      ...attemptsOf(step),
      ...iterationOf(step),
    }) as TraceData
    const told = this.#request.redact(shown ? { ...data, output: { ...data.output, ...shown } } : data)
    const item = {
      nodeId: node.id,
      nodeLabel: node.label,
      previousNodeIds: step.frame.progress.cameFrom(node).map(({ id }) => id),
      status,
      data: told,
      path,
      startedAt,
      finishedAt,
    }
    const row = {
      seq: this.#seq++,
      path,
      nodeId: node.id,
      takenOutputs: takenOutputs ?? null,
      item,
      ...withheldOf(data, told),
      startedAt,
      finishedAt,
    }
    this.#request.log.append(row)
    take?.(row)
    this.say(step, status, told.error)
    this.trace.add(row)
  }
}

/** What later steps read and the trace does not show. */
function withheldOf(data: TraceData, told: TraceData): { withheld?: Withheld } {
  const { output, state, chatHistory, kept } = data
  const hidden = Object.entries({ output, state, chatHistory, kept }).filter(([key, value]) => value !== told[key])
  return hidden.length > 0 ? { withheld: Object.fromEntries(hidden) } : {}
}

/** What the step was charged stands in its output, whatever the node says of it. */
function outputOf(step: Step, { output }: Written): Written {
  const used = usedBy(step)
  return used ? { output: { ...output, usageMetadata: used } } : {}
}

function attemptsOf({ failedAttempts }: Step): Partial<TraceData> {
  return failedAttempts.length > 0 ? { failedAttempts } : {}
}

function iterationOf({ frame: { inside } }: Step): Partial<TraceData> {
  if (!inside) return {}
  const { iteration, container } = inside
  return { iterationIndex: iteration.index, iterationContext: iteration, parentNodeId: container.id }
}
