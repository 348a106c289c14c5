/** Tracks a run's usage against its limits. */
import { type LimitName, noLimits, type RunLimits } from '#contract/runs/limits.ts'

/** Default limit of steps. */
const MAX_STEPS = 1000

export class UsageMeter {
  readonly #limits: RunLimits
  readonly #paths = new Set<string>()
  #tokens = 0
  #cost = 0

  constructor(limits: RunLimits | undefined) {
    this.#limits = { ...noLimits, ...limits, maxSteps: limits?.maxSteps ?? MAX_STEPS }
  }

  /** Counts a starting step, once per occurrence. Returns false without counting when the limit is reached. */
  countStepWithinLimit(path: string): boolean {
    if (!this.#paths.has(path) && this.#paths.size >= (this.#limits.maxSteps ?? MAX_STEPS)) return false
    this.#paths.add(path)
    return true
  }

  /** Counts a step of an earlier attempt. */
  countStep(path: string): void {
    this.#paths.add(path)
  }

  /** Adds usage. Returns the limit that it exceeds, if any. */
  charge({
    total_tokens,
    total_cost = 0,
  }: {
    total_tokens: number
    total_cost?: number | null
  }): LimitName | undefined {
    this.#tokens += total_tokens
    this.#cost += total_cost ?? 0
    const { maxTokens, maxCost } = this.#limits
    if (maxTokens !== null && this.#tokens > maxTokens) return 'tokens'
    return maxCost !== null && this.#cost > maxCost ? 'cost' : undefined
  }

  /** Returns the seconds left, or null when the run has no time limit. */
  secondsLeft(before = 0): number | null {
    const { maxSeconds } = this.#limits
    return maxSeconds === null ? null : Math.max(0, maxSeconds - before)
  }

  /** Returns the reason for ending the run, for people. */
  reason(limit: LimitName): string {
    const { maxTokens, maxCost, maxSteps, maxSeconds } = this.#limits
    const words = {
      tokens: `use ${maxTokens} tokens`,
      cost: `cost ${maxCost} US dollars`,
      steps: `take ${maxSteps} steps`,
      time: `take ${maxSeconds} seconds`,
    }
    return `The flow was stopped: one run may ${words[limit]}`
  }
}
