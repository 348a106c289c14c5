import type { FlowNode } from '../../document/document.ts'
import { containerOf as containerIn } from '../../document/graph.ts'
import { isContainer } from './nodes.ts'

/** The id of the iteration that holds a node; undefined for nodes of the flow itself, and where the iteration is gone. */
export function containerOf(node: FlowNode, nodes: ReadonlyMap<string, FlowNode>): string | undefined {
  return containerIn(node, nodes, { isContainer })
}
