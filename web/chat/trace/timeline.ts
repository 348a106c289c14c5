/** When each step of a run worked, as a share of the run. Pure. */
import { stepPaths } from '#contract/compare.ts'
import type { TraceItem } from '#contract/events.ts'

/** Where a step's bar begins and how long it is: shares of the whole, from 0 to 1. */
export interface Bar {
  start: number
  length: number
}

/**
 * Bars by path. Time in which no step worked (the run waited for a person, or its worker was gone) is left out,
 * so that a run answered after three days still shows what took long. Steps that do not tell their times have no bar.
 */
export function timeline(trace: readonly TraceItem[]): Map<string, Bar> {
  const paths = stepPaths(trace)
  const spans = trace.flatMap(({ startedAt, finishedAt }, index) => {
    const [start, end] = [Date.parse(startedAt ?? ''), Date.parse(finishedAt ?? '')]
    return end >= start ? { path: paths[index] as string, start, end } : []
  })
  const worked = workedBefore(spans)
  const total = worked(Number.POSITIVE_INFINITY)
  if (total === 0) return new Map()
  return new Map(
    spans.map(({ path, start, end }) => [
      path,
      { start: worked(start) / total, length: (worked(end) - worked(start)) / total },
    ]),
  )
}

/** Milliseconds up to a moment in which at least one of the spans was under way. */
function workedBefore(spans: readonly { start: number; end: number }[]): (moment: number) => number {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return (moment) => merged.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(moment, end) - start), 0)
}
