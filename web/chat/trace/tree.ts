/** A run's trace as a tree: the children of an iteration below it, by round. Pure. */
import type { TraceItem } from '#contract/events.ts'

export interface TraceNode {
  /** Position in the trace: the step's name in links. */
  index: number
  item: TraceItem
  children: { round: number; nodes: TraceNode[] }[]
}

/** Children precede their parent in a trace; `parentNodeId` and `iterationIndex` say where they belong. */
export function traceTree(trace: readonly TraceItem[]): TraceNode[] {
  const nodes = trace.map((item, index): TraceNode => ({ index, item, children: [] }))
  const roots: TraceNode[] = []
  for (const node of nodes) {
    const parent = parentOf(node, nodes)
    if (parent) addToRound(parent, node)
    else roots.push(node)
  }
  return roots
}

function parentOf(node: TraceNode, nodes: TraceNode[]): TraceNode | undefined {
  const parentId = node.item.data.parentNodeId
  if (typeof parentId !== 'string') return undefined
  return nodes.find((other) => other.index > node.index && other.item.nodeId === parentId)
}

function addToRound(parent: TraceNode, node: TraceNode): void {
  const round = Number(node.item.data.iterationIndex ?? 0)
  const existing = parent.children.find((child) => child.round === round)
  if (existing) existing.nodes.push(node)
  else parent.children.push({ round, nodes: [node] })
}

/** Milliseconds that a step took; undefined when the trace does not say. */
export const durationOf = (item: TraceItem): number | undefined => item.data.output?.timeMetadata?.delta

/** `850 ms`, `2.4 s`, `3 min 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** US dollars: `$0.0012`, `$1.25`; `free` for nothing. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return 'free'
  if (dollars < 0.0001) return '< $0.0001'
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`
}
