/** Iterations hold other nodes. */
import type { FlowNode } from './document.ts'
import { ITERATION } from './kinds.ts'

/** The id of the iteration that a node lies in: its scope. Undefined for the flow itself, and where the iteration is gone. */
export function containerOf({ parentNode }: FlowNode, nodes: ReadonlyMap<string, FlowNode>): string | undefined {
  return nodes.get(parentNode ?? '')?.data.name === ITERATION ? parentNode : undefined
}
