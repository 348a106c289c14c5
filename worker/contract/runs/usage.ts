/**
 * Sums of tokens and costs. A cost is the sum of the known prices: absent when no price is known, and marked with
 * `cost_is_partial` when it leaves out model calls without a known price.
 */
import type { TraceItem, UsageMetadata } from './events.ts'

const COSTS = ['input_cost', 'output_cost', 'total_cost'] as const

export function addUsage(a: UsageMetadata | undefined, b: UsageMetadata): UsageMetadata {
  if (!a) return b
  const isPartial = a.cost_is_partial || b.cost_is_partial || isPriced(a) !== isPriced(b)
  const costs = COSTS.filter((key) => a[key] !== undefined || b[key] !== undefined)
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    ...Object.fromEntries(costs.map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)])),
    ...(isPartial && costs.length > 0 && { cost_is_partial: true }),
  }
}

/** Usage without tokens costs nothing, whatever its price. */
const isPriced = ({ total_tokens, total_cost }: UsageMetadata) => total_tokens === 0 || total_cost !== undefined

/** Returns undefined for an empty list. */
export function sumUsage(usages: readonly UsageMetadata[]): UsageMetadata | undefined {
  return usages.reduce<UsageMetadata | undefined>(addUsage, undefined)
}

/** Returns the part of `all` that `counted` does not cover. */
export function subtractUsage(all: UsageMetadata, counted: UsageMetadata): UsageMetadata {
  const { total_cost } = all
  return {
    input_tokens: all.input_tokens - counted.input_tokens,
    output_tokens: all.output_tokens - counted.output_tokens,
    total_tokens: all.total_tokens - counted.total_tokens,
    ...(total_cost !== undefined && { total_cost: total_cost - (counted.total_cost ?? 0) }),
    ...(all.cost_is_partial && { cost_is_partial: true }),
  }
}

/** The usage of a step: its result's, then each failed attempt's. */
export function stepUsages({ data }: TraceItem): UsageMetadata[] {
  const failed = data.failedAttempts ?? []
  return [data.output?.usageMetadata, ...failed.map(({ usageMetadata }) => usageMetadata)].filter(
    (usage) => usage !== undefined,
  )
}
