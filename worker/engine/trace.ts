/** A run's trace: its items in order of completion, their sums, and when they are sent. */
import type { RunEvent, TraceItem } from '#contract/events.ts'

/** The whole trace goes out after each node only while it is short: sending it every time would cost the square of its length. */
const SENT_AFTER_EACH_NODE = 20

export class Trace {
  readonly items: TraceItem[] = []
  readonly #emit: (event: RunEvent) => void
  #sent = 0

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit
  }

  add(item: TraceItem): void {
    this.items.push(item)
    if (this.items.length < SENT_AFTER_EACH_NODE) this.send()
  }

  /** Sends `agentFlowExecutedData` unless the last one was complete. */
  send(): void {
    if (this.#sent === this.items.length) return
    this.#sent = this.items.length
    this.#emit({ event: 'agentFlowExecutedData', data: [...this.items] })
  }

  /** Sums over the steps' usage; the cost is null when no step had a known price. */
  totals(): { totalTokens: number; totalCost: number | null } {
    let totalTokens = 0
    let totalCost: number | null = null
    for (const { data } of this.items) {
      const usage = data.output?.usageMetadata
      totalTokens += usage?.total_tokens ?? 0
      if (usage?.total_cost !== undefined) totalCost = (totalCost ?? 0) + usage.total_cost
    }
    return { totalTokens, totalCost }
  }
}
