/** A run's trace as a tree: one node for each occurrence of a step, an iteration's items below it. Pure. */
import { stepPaths } from '#contract/compare.ts'
import type { TraceItem } from '#contract/events.ts'

export interface TraceNode {
  /** Names the occurrence, in links too: `agent_0#1@iteration_1[3]`. */
  path: string
  label: string
  /** The step's last row: what became of it. Undefined: an iteration whose items have begun, itself not finished. */
  item?: TraceItem
  /** Rounds before this one in a loop. */
  round: number
  /** The items of an iteration, from 0, in their order. */
  items: { index: number; nodes: TraceNode[] }[]
}

/** Steps in the order in which they completed; an iteration stands where the first step inside it completed. */
export function traceTree(trace: readonly TraceItem[]): TraceNode[] {
  const paths = stepPaths(trace)
  const nodes = new Map<string, TraceNode>()
  const roots: TraceNode[] = []

  const nodeAt = (path: string): TraceNode => {
    const known = nodes.get(path)
    if (known) return known
    const { round, nodeId, within } = occurrence(path)
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

/** Which node a path names, in which round, and inside which item of which iteration. */
export function occurrence(path: string): { nodeId: string; round: number; within?: { path: string; index: number } } {
  const [, own = path, container, index] = /^([^@]*)@(.+)\[(\d+)\]$/.exec(path) ?? []
  const [nodeId = '', round = '0'] = own.split('#')
  return { nodeId, round: Number(round), ...(container && { within: { path: container, index: Number(index) } }) }
}

/** Which of a node's occurrences a path names, for people: `item 4, round 2`; empty for the only one. */
export function occurrenceText(path: string): string {
  const { round, within } = occurrence(path)
  const around = within ? [items(within.path), `item ${within.index + 1}`] : []
  return [...around, round > 0 && `round ${round + 1}`].filter(Boolean).join(', ')
}

/** The items of the iterations around an iteration, outermost first. */
function items(path: string): string {
  const { within } = occurrence(path)
  return within ? [items(within.path), `item ${within.index + 1}`].filter(Boolean).join(', ') : ''
}

/** Every node of the tree, parents before what is inside them. */
export function flatTree(nodes: readonly TraceNode[]): TraceNode[] {
  return nodes.flatMap((node) => [node, ...flatTree(node.items.flatMap((item) => item.nodes))])
}

/** The steps that wait for an answer, in the order in which they asked. */
export function waitingSteps(trace: readonly TraceItem[]): TraceItem[] {
  return flatTree(traceTree(trace)).flatMap(({ item }) => (item && isWaiting(item) ? item : []))
}

/** Stopped for a person who has not answered yet. */
export const isWaiting = ({ status, data }: TraceItem) =>
  status === 'STOPPED' && data.answer === undefined && data.output?.humanInputAction !== undefined
