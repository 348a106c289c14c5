/** Compares two runs: aligns their steps by path and lists the differences. Pure. */

import type { RunState, StepStatus, TraceItem } from './events.ts'
import { stepPaths } from './step-paths.ts'

export interface ComparableRun {
  state: RunState
  /** In order of completion. */
  trace: readonly TraceItem[]
  totalTokens: number
  /** US dollars; null when no price is known. */
  totalCost: number | null
  /** Milliseconds; null while the run is in progress. */
  duration: number | null
}

/** The result of a step in one run. */
export interface StepFigures {
  status: StepStatus
  /** The step's text, its error, or its output as JSON. */
  output: string
  tokens: number
  /** US dollars; undefined when no price is known. */
  cost?: number
  /** Milliseconds. */
  duration?: number
}

export type Difference = 'status' | 'output' | 'tokens' | 'cost' | 'time'

export interface ComparedStep {
  path: string
  nodeLabel: string
  /** `different` ignores the duration, which always differs. */
  kind: 'onlyA' | 'onlyB' | 'same' | 'different'
  differences: Difference[]
  a?: StepFigures
  b?: StepFigures
}

interface Pair<Value> {
  a: Value
  b: Value
}

export interface RunComparison {
  /** In the order of `a`. Steps that only `b` has follow their predecessor in `b`. */
  steps: ComparedStep[]
  /** Paths in the order in which they completed. */
  taken: Pair<string[]>
  isSamePath: boolean
  totals: {
    state: Pair<RunState>
    steps: Pair<number>
    tokens: Pair<number>
    cost: Pair<number | null>
    duration: Pair<number | null>
  }
}

/** A difference in duration is reported from this many milliseconds and this share of the longer one. */
const NOTICED_MS = 100
const NOTICED_SHARE = 0.2

export function compareRuns(a: ComparableRun, b: ComparableRun): RunComparison {
  const left = lastOfEach(a.trace)
  const right = lastOfEach(b.trace)
  const taken = { a: [...left.keys()], b: [...right.keys()] }
  const steps = mergedOrder(taken).map((path) => compareStep(path, left.get(path), right.get(path)))
  return {
    steps,
    taken,
    isSamePath: steps.every(({ a, b }) => a && b),
    totals: {
      state: { a: a.state, b: b.state },
      steps: { a: left.size, b: right.size },
      tokens: { a: a.totalTokens, b: b.totalTokens },
      cost: { a: a.totalCost, b: b.totalCost },
      duration: { a: a.duration, b: b.duration },
    },
  }
}

/** A step that waited has several rows; the last one has its result. */
function lastOfEach(trace: readonly TraceItem[]): Map<string, TraceItem> {
  const paths = stepPaths(trace)
  return new Map(trace.map((item, index) => [paths[index] as string, item]))
}

function mergedOrder({ a, b }: Pair<string[]>): string[] {
  const merged = [...a]
  const inA = new Set(a)
  let before: string | undefined
  for (const path of b) {
    if (!inA.has(path)) merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, path)
    before = path
  }
  return merged
}

function compareStep(path: string, left: TraceItem | undefined, right: TraceItem | undefined): ComparedStep {
  const a = left && toFigures(left)
  const b = right && toFigures(right)
  const nodeLabel = (left ?? right)?.nodeLabel ?? path
  const differences = a && b ? findDifferences(a, b) : []
  return { path, nodeLabel, kind: kindOf({ a, b, differences }), differences, a, b }
}

function kindOf({ a, b, differences }: Pick<ComparedStep, 'a' | 'b' | 'differences'>): ComparedStep['kind'] {
  if (!b) return 'onlyA'
  if (!a) return 'onlyB'
  return differences.some((difference) => difference !== 'time') ? 'different' : 'same'
}

function findDifferences(a: StepFigures, b: StepFigures): Difference[] {
  const differ: Record<Difference, boolean> = {
    status: a.status !== b.status,
    output: a.output !== b.output,
    tokens: a.tokens !== b.tokens,
    cost: a.cost !== b.cost,
    time: isNoticed(a.duration, b.duration),
  }
  return (Object.keys(differ) as Difference[]).filter((key) => differ[key])
}

function isNoticed(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const difference = Math.abs(a - b)
  return difference >= NOTICED_MS && difference >= NOTICED_SHARE * Math.max(a, b)
}

function toFigures(item: TraceItem): StepFigures {
  const usage = item.data.output?.usageMetadata
  return {
    status: item.status,
    output: outputText(item),
    tokens: usage?.total_tokens ?? 0,
    cost: usage?.total_cost,
    duration: stepDuration(item),
  }
}

function outputText({ data }: TraceItem): string {
  if (data.error !== undefined) return data.error
  const { content, timeMetadata: _time, usageMetadata: _usage, ...rest } = data.output ?? {}
  if (content) return content
  return Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : ''
}

/** Returns the duration of a step in milliseconds, or undefined when unknown. */
export function stepDuration({ data, startedAt, finishedAt }: TraceItem): number | undefined {
  const told = data.output?.timeMetadata?.delta
  if (told !== undefined || startedAt === undefined || finishedAt === undefined) return told
  return Date.parse(finishedAt) - Date.parse(startedAt)
}
