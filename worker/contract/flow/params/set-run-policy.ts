/** Changes run settings of a node. */
import type { FlowDocument, FlowNode, NodeData } from '../document/document.ts'
import { removeEdges } from '../document/remove.ts'
import type { FlowKind } from '../kinds/types.ts'
import { defaultPolicy, errorHandleId, type RunPolicy, runPolicyOf } from './run-policy.ts'

/**
 * Returns the flow with this change to a node's policy. Stores only values other than the defaults, so that files stay
 * unchanged. A node that loses its error output loses the connections from it.
 */
export function setRunPolicy(
  flow: FlowDocument,
  nodeId: string,
  { change, kind }: { change: Partial<RunPolicy>; kind: FlowKind },
): FlowDocument {
  const nodes = flow.nodes.map((node) => (node.id === nodeId ? withPolicy(node, change) : node))
  if (change.onError !== 'stop') return { ...flow, nodes }
  const handle = errorHandleId(nodeId)
  const left = flow.edges.filter((edge) => edge.source === nodeId && edge.sourceHandle === handle)
  const ids = left.map((edge) => edge.id)
  return removeEdges({ ...flow, nodes }, ids, kind)
}

function withPolicy(node: FlowNode, change: Partial<RunPolicy>): FlowNode {
  const policy = { ...runPolicyOf(node.data), ...change }
  const own = Object.entries(policy).filter(([name, value]) => value !== defaultPolicy[name as keyof RunPolicy])
  const { runPolicy: _before, ...data } = node.data
  return { ...node, data: (own.length > 0 ? { ...data, runPolicy: Object.fromEntries(own) } : data) as NodeData }
}
