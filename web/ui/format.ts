/** Durations and costs, as people read them. Pure. */
import type { UsageMetadata } from '#contract/runs/events.ts'

/** `850 ms`, `2.4 s`, `3 min 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** `$0.0012`, or `at least $0.0012` when some prices are unknown; undefined when all are. */
export function usageCost({
  total_cost,
  cost_is_partial,
}: Pick<UsageMetadata, 'total_cost' | 'cost_is_partial'>): string | undefined {
  if (total_cost === undefined) return undefined
  return cost_is_partial ? `at least ${formatCost(total_cost)}` : formatCost(total_cost)
}

/** US dollars: `$0.0012`, `$1.25`; `free` for nothing. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return 'free'
  if (dollars < 0.0001) return '< $0.0001'
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`
}
