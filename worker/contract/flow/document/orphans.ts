/** Edges that hang in the air (spec section 5). */
import type { FlowDocument, FlowEdge, FlowNode } from './document.ts'
import { agentInputHandleId, handleWithoutTypes, outputHandleIds } from './handles.ts'
import { isAgentFlowNode } from './node-kinds.ts'

/**
 * Edges whose node is gone, agent-flow edges whose handle is not one of their node, and classic edges that point
 * at an input or output which no longer exists. Classic handles count as equal when only their types differ.
 */
export function orphanedEdges(flow: Pick<FlowDocument, 'nodes' | 'edges'>): FlowEdge[] {
  const handles = new Map(flow.nodes.map((node) => [node.id, handlesOf(node)]))
  return flow.edges.filter((edge) => {
    const source = handles.get(edge.source)
    const target = handles.get(edge.target)
    return !source?.leaves(edge.sourceHandle) || !target?.enters(edge.targetHandle)
  })
}

interface Handles {
  leaves(handle: string | null | undefined): boolean
  enters(handle: string | null | undefined): boolean
}

function handlesOf(node: FlowNode): Handles {
  const outputs = outputHandleIds(node)
  if (isAgentFlowNode(node.data)) {
    return {
      leaves: (handle) => outputs.has(handle ?? ''),
      enters: (handle) => !node.data.hideInput && handle === agentInputHandleId(node.id),
    }
  }
  const untypedOutputs = new Set([...outputs].map(handleWithoutTypes))
  const untypedInputs = new Set([...inputIds(node)].map(handleWithoutTypes))
  return {
    leaves: (handle) => untypedOutputs.has(handleWithoutTypes(handle ?? '')),
    enters: (handle) => untypedInputs.has(handleWithoutTypes(handle ?? '')),
  }
}

function inputIds(node: FlowNode): Set<string> {
  const inputs = [...(node.data.inputAnchors ?? []), ...(node.data.inputParams ?? [])]
  return new Set(inputs.flatMap(({ id }) => (typeof id === 'string' ? id : [])))
}
