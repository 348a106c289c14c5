/** What a run has used, and whether that is too much. */
import { type LimitName, noLimits, type RunLimits } from '#contract/limits.ts'

/** A run without a limit of its own ends some time too. */
const MAX_STEPS = 1000

export class UsageMeter {
  readonly #limits: RunLimits
  readonly #paths = new Set<string>()
  #tokens = 0
  #cost = 0

  constructor(limits: RunLimits | undefined) {
    this.#limits = { ...noLimits, ...limits, maxSteps: limits?.maxSteps ?? MAX_STEPS }
  }

  /** Counts a step that begins, each occurrence once. Returns false, and counts nothing, when it would be one too many. */
  takesStep(path: string): boolean {
    if (!this.#paths.has(path) && this.#paths.size >= (this.#limits.maxSteps ?? MAX_STEPS)) return false
    this.#paths.add(path)
    return true
  }

  /** A step of an earlier attempt. */
  countStep(path: string): void {
    this.#paths.add(path)
  }

  /** @returns the limit that is passed with this, if any */
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

  /** Seconds that the run may still take; null = as long as it likes. */
  secondsLeft(before = 0): number | null {
    const { maxSeconds } = this.#limits
    return maxSeconds === null ? null : Math.max(0, maxSeconds - before)
  }

  /** Why the run ends, in words. */
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
