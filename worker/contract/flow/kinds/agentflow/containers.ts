import type { FlowNode } from '../../document/document.ts'
import { containerOf as containerIn } from '../../document/graph.ts'
import { isContainer } from './nodes.ts'

/** Returns the id of a node's iteration; undefined for top-level nodes, and where the iteration is missing. */
export function containerOf(node: FlowNode, nodes: ReadonlyMap<string, FlowNode>): string | undefined {
  return containerIn(node, nodes, { isContainer })
}
