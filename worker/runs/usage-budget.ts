/** Counts what a run has used, from its log; the runs that it calls get what is left of its limits. */
import type { RunLimits } from '#contract/runs/limits.ts'
import { sumUsage } from '#contract/runs/usage.ts'
import { usagesOf } from '../engine/trace.ts'
import type { StepRow } from '../engine/types.ts'
import type { Clock } from '../ports/types.ts'
import type { RunStart } from './run-start.ts'

export class UsageBudget {
  readonly #clock: Clock
  readonly #begun: number
  readonly #secondsBefore: number
  /** The last row of each path counts. */
  readonly #rows = new Map<string, StepRow>()

  constructor(clock: Clock, { done, secondsBefore }: Pick<RunStart, 'done' | 'secondsBefore'>) {
    this.#clock = clock
    this.#begun = clock.now().getTime()
    this.#secondsBefore = secondsBefore
    for (const row of done) this.add(row)
  }

  add(row: StepRow): void {
    if (!row.isCopied) this.#rows.set(row.path, row)
  }

  /** Returns what is left, never below zero; an unset limit stays unset. */
  leftOf(limits: RunLimits): RunLimits {
    const used = sumUsage([...this.#rows.values()].flatMap(usagesOf))
    const seconds = this.#secondsBefore + (this.#clock.now().getTime() - this.#begun) / 1000
    return {
      maxTokens: less(limits.maxTokens, used?.total_tokens ?? 0),
      maxCost: less(limits.maxCost, used?.total_cost ?? 0),
      maxSteps: less(limits.maxSteps, this.#rows.size),
      maxSeconds: less(limits.maxSeconds, seconds),
    }
  }
}

const less = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used))
