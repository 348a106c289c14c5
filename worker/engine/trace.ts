/** A run's trace: the latest item of each occurrence in order of completion, with totals and throttled events. */

import type { RunEvent, TraceItem, UsageMetadata } from '#contract/runs/events.ts'
import { stepUsages, sumUsage } from '#contract/runs/usage.ts'
import type { StepRow } from './types.ts'

/** Up to this length, the complete trace is sent after each node. Always sending it would take quadratic time. */
const SENT_AFTER_EACH_NODE = 20

export class Trace {
  readonly #rows = new Map<string, StepRow>()
  readonly #emit: (event: RunEvent) => void
  #isSent = true

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit
  }

  /** Restores a row of an earlier attempt. Ignores answers, which are not items. */
  restore(row: StepRow): void {
    if (!row.item.data.answer) this.#put(row)
  }

  add(row: StepRow): void {
    this.#put(row)
    if (this.#rows.size < SENT_AFTER_EACH_NODE) this.send()
  }

  /** Returns the latest row of an occurrence. */
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

  /** Includes failed attempts, but not copied steps. The cost is null when no step had a known price. */
  totals(): { totalTokens: number; totalCost: number | null } {
    const total = sumUsage([...this.#rows.values()].flatMap(usagesOf))
    return { totalTokens: total?.total_tokens ?? 0, totalCost: total?.total_cost ?? null }
  }

  #put(row: StepRow): void {
    this.#rows.delete(row.path)
    this.#rows.set(row.path, row)
    this.#isSent = false
  }
}

/** Returns the usage of a step and of its failed attempts; an empty list when it was copied from another run. */
export function usagesOf({ item, isCopied }: Pick<StepRow, 'item' | 'isCopied'>): UsageMetadata[] {
  return isCopied ? [] : stepUsages(item)
}
