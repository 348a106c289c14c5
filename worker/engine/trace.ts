/** A run's trace: the latest item of each occurrence in order of completion, their sums, and when they are sent. */
import type { RunEvent, TraceItem, UsageMetadata } from '#contract/events.ts'
import type { StepRow } from './types.ts'

/** The whole trace goes out after each node only while it is short: sending it every time would cost the square of its length. */
const SENT_AFTER_EACH_NODE = 20

export class Trace {
  readonly #rows = new Map<string, StepRow>()
  readonly #emit: (event: RunEvent) => void
  #isSent = true

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit
  }

  /** Takes in a row of an earlier attempt. An answer is no item of its own. */
  restore(row: StepRow): void {
    if (!row.item.data.answer) this.#put(row)
  }

  add(row: StepRow): void {
    this.#put(row)
    if (this.#rows.size < SENT_AFTER_EACH_NODE) this.send()
  }

  /** The row that counts for this occurrence. */
  at(path: string): StepRow | undefined {
    return this.#rows.get(path)
  }

  get items(): TraceItem[] {
    return [...this.#rows.values()].map(({ item }) => item)
  }

  /** Sends `agentFlowExecutedData` unless the last one was complete. */
  send(): void {
    if (this.#isSent) return
    this.#isSent = true
    this.#emit({ event: 'agentFlowExecutedData', data: this.items })
  }

  /** Sums over what the steps used, failed attempts included and copied steps not; the cost is null when no step had a known price. */
  totals(): { totalTokens: number; totalCost: number | null } {
    let totalTokens = 0
    let totalCost: number | null = null
    for (const usage of [...this.#rows.values()].flatMap(usagesOf)) {
      totalTokens += usage.total_tokens
      if (usage.total_cost !== undefined) totalCost = (totalCost ?? 0) + usage.total_cost
    }
    return { totalTokens, totalCost }
  }

  #put(row: StepRow): void {
    this.#rows.delete(row.path)
    this.#rows.set(row.path, row)
    this.#isSent = false
  }
}

/** What a step used, failed attempts included; nothing when it was copied from another run. */
export function usagesOf({ item, isCopied }: Pick<StepRow, 'item' | 'isCopied'>): UsageMetadata[] {
  if (isCopied) return []
  const { output, failedAttempts = [] } = item.data
  return [output?.usageMetadata, ...failedAttempts.map(({ usageMetadata }) => usageMetadata)].filter(
    (usage) => usage !== undefined,
  )
}
