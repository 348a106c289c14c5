/** Nodes whose outputs a person decides: the choice of one of several, and condition nodes. */
import { chosenOutput } from '../../document/anchors.ts'
import type { FlowDocument, FlowNode } from '../../document/document.ts'
import { orphanedEdges } from '../../document/orphans.ts'
import { removeEdges } from '../../document/remove.ts'
import { conditionAnchors, isConditionInput } from './condition.ts'
import { withOutput } from './connections.ts'
import { chatflow } from './kind.ts'

/** Chooses one of a node's outputs. Edges from the others are removed. */
export function chooseOutput(flow: FlowDocument, nodeId: string, output: string): FlowDocument {
  return changeOutputs(flow, nodeId, (node) => (chosenOutput(node.data) === output ? node : withOutput(node, output)))
}

/** Makes the outputs of a condition node again after one of its inputs has changed. */
export function followCondition(flow: FlowDocument, nodeId: string, input: string): FlowDocument {
  return changeOutputs(flow, nodeId, (node) => {
    const outputAnchors = isConditionInput(node, input) ? conditionAnchors(node) : undefined
    return outputAnchors ? { ...node, data: { ...node.data, outputAnchors } } : node
  })
}

/** Removes the edges whose output is gone, with what their targets hold of them. */
function changeOutputs(flow: FlowDocument, nodeId: string, change: (node: FlowNode) => FlowNode): FlowDocument {
  const before = flow.nodes.find(({ id }) => id === nodeId)
  const after = before && change(before)
  if (!after || after === before) return flow
  const nodes = flow.nodes.map((node) => (node === before ? after : node))
  const edges = flow.edges.filter(({ source }) => source === nodeId)
  const lost = orphanedEdges({ nodes, edges }, chatflow).map(({ id }) => id)
  return removeEdges({ ...flow, nodes }, lost, chatflow)
}
