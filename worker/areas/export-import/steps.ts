/**
 * Converts the trace of an imported run into steps of the log. Files of other products do not number occurrences, so
 * they are counted here.
 */

import type { TraceItem } from '#contract/runs/events.ts'
import { itemPlace, stepPath } from '#contract/runs/step-paths.ts'
import type { ExecutionRow, ImportedTraceItem } from './rows.ts'

export interface ImportedStep {
  seq: number
  path: string
  nodeId: string
  item: TraceItem
  startedAt: string
  finishedAt: string
}

export function stepsOf({ executionData, createdDate }: ExecutionRow): ImportedStep[] {
  const rounds = new Map<string, number>()
  return executionData.map((item, seq) => {
    const { path = nextPath(item, rounds), startedAt, finishedAt, ...rest } = item
    const { start, end } = timesOf(item)
    return {
      seq,
      path,
      nodeId: item.nodeId,
      item: rest as unknown as TraceItem,
      startedAt: startedAt ?? start ?? createdDate,
      finishedAt: finishedAt ?? end ?? startedAt ?? createdDate,
    }
  })
}

/** Numbers the rounds of each node. */
function nextPath({ nodeId, data }: ImportedTraceItem, rounds: Map<string, number>): string {
  const { parentNodeId, iterationIndex } = data
  const inside = typeof parentNodeId === 'string' ? itemPlace(parentNodeId, Number(iterationIndex) || 0) : ''
  const round = rounds.get(nodeId + inside) ?? 0
  rounds.set(nodeId + inside, round + 1)
  return stepPath(nodeId, round, inside)
}

function timesOf({ data }: ImportedTraceItem): { start?: string; end?: string } {
  const times = (data.output as { timeMetadata?: { start?: unknown; end?: unknown } } | undefined)?.timeMetadata
  return { start: dateOf(times?.start), end: dateOf(times?.end) }
}

function dateOf(milliseconds: unknown): string | undefined {
  const isTime = typeof milliseconds === 'number' && Math.abs(milliseconds) < 8.64e15
  return isTime ? new Date(milliseconds).toISOString() : undefined
}
