/** Iterations hold other nodes: each is a scope of its own, and so is the flow outside of them. */
import type { FlowNode } from '../../document/document.ts'
import { ITERATION } from './nodes.ts'

/** The id of the iteration that holds a node; undefined for nodes of the flow itself, and where the iteration is gone. */
export function containerOf({ parentNode }: FlowNode, nodes: ReadonlyMap<string, FlowNode>): string | undefined {
  return nodes.get(parentNode ?? '')?.data.name === ITERATION ? parentNode : undefined
}
