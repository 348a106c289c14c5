/** Start and length of each step as a share of the run. Pure. */
import type { TraceItem } from '#contract/runs/events.ts'
import { stepPaths } from '#contract/runs/step-paths.ts'

/** Start and length of a step's bar, as shares of the run from 0 to 1. */
export interface Bar {
  start: number
  length: number
}

/**
 * Returns bars by path. Time without an active step, such as waiting for approval, is left out, so that a run approved
 * after three days still shows which steps were slow. Steps without times have no bar.
 */
export function timeline(trace: readonly TraceItem[]): Map<string, Bar> {
  const paths = stepPaths(trace)
  const spans = trace.flatMap(({ startedAt, finishedAt }, index) => {
    const [start, end] = [Date.parse(startedAt ?? ''), Date.parse(finishedAt ?? '')]
    return end >= start ? { path: paths[index] as string, start, end } : []
  })
  const activeTime = activeTimeBefore(spans)
  const total = activeTime(Number.POSITIVE_INFINITY)
  if (total === 0) return new Map()
  return new Map(
    spans.map(({ path, start, end }) => [
      path,
      { start: activeTime(start) / total, length: (activeTime(end) - activeTime(start)) / total },
    ]),
  )
}

/** Returns a function that computes the milliseconds with at least one active span up to a moment. */
function activeTimeBefore(spans: readonly { start: number; end: number }[]): (moment: number) => number {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return (moment) => merged.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(moment, end) - start), 0)
}
