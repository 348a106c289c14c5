/** Builds a tree from a run's trace, with one node per occurrence of a step. Pure. */

import type { TraceItem } from '#contract/runs/events.ts'
import { parseStepPath, stepPaths } from '#contract/runs/step-paths.ts'

export interface TraceNode {
  /** Identifies the occurrence, also in links: `agent_0#1@iteration_1[3]`. */
  path: string
  label: string
  /** The last row of the step. Undefined for an iteration that has not finished. */
  item?: TraceItem
  /** The round of a loop, from 0. */
  round: number
  /** The items of an iteration, sorted by index. */
  items: { index: number; nodes: TraceNode[] }[]
}

/** Returns the steps in order of completion. An iteration takes the place of its first completed step. */
export function traceTree(trace: readonly TraceItem[]): TraceNode[] {
  const paths = stepPaths(trace)
  const nodes = new Map<string, TraceNode>()
  const roots: TraceNode[] = []

  const nodeAt = (path: string): TraceNode => {
    const known = nodes.get(path)
    if (known) return known
    const { round, nodeId, within } = parseStepPath(path)
    const node: TraceNode = { path, label: nodeId, round, items: [] }
    nodes.set(path, node)
    if (within) itemOf(nodeAt(within.path), within.index).nodes.push(node)
    else roots.push(node)
    return node
  }

  trace.forEach((item, index) => {
    const node = nodeAt(paths[index] as string)
    node.item = item
    node.label = item.nodeLabel
  })
  return roots
}

function itemOf(node: TraceNode, index: number) {
  const known = node.items.find((item) => item.index === index)
  if (known) return known
  const added = { index, nodes: [] }
  node.items.push(added)
  node.items.sort((a, b) => a.index - b.index)
  return added
}

/** Returns a label of the occurrence such as `item 4, round 2`; empty for a single occurrence. */
export function occurrenceText(path: string): string {
  const { round, within } = parseStepPath(path)
  const around = within ? [items(within.path), `item ${within.index + 1}`] : []
  return [...around, round > 0 && `round ${round + 1}`].filter(Boolean).join(', ')
}

/** Returns the items of the enclosing iterations, outermost first. */
function items(path: string): string {
  const { within } = parseStepPath(path)
  return within ? [items(within.path), `item ${within.index + 1}`].filter(Boolean).join(', ') : ''
}

/** Returns all nodes of the tree, parents first. */
export function flatTree(nodes: readonly TraceNode[]): TraceNode[] {
  return nodes.flatMap((node) => [node, ...flatTree(node.items.flatMap((item) => item.nodes))])
}

/** Returns the steps that wait for an answer, in the order in which they asked. */
export function waitingSteps(trace: readonly TraceItem[]): TraceItem[] {
  return flatTree(traceTree(trace)).flatMap(({ item }) => (item && isWaiting(item) ? item : []))
}

/** Returns true for a stopped step without an answer. */
export const isWaiting = ({ status, data }: TraceItem) =>
  status === 'STOPPED' && data.answer === undefined && data.output?.humanInputAction !== undefined
