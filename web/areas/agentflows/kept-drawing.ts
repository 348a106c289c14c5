/** How the canvas draws a flow of another kind, whose nodes have connections where agent flows have none. Pure. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'

/** The same nodes and edges, with one input a node and an output for each handle that an edge leaves from. */
export function drawingOf(flow: FlowDocument): FlowDocument {
  return {
    ...flow,
    nodes: flow.nodes.map((node) => ({
      ...node,
      data: { ...node.data, hideInput: false, hideOutput: false, outputAnchors: outputsOf(node, flow) },
    })),
    edges: flow.edges.map((edge) => ({ ...edge, sourceHandle: handleOf(edge), targetHandle: edge.target })),
  }
}

function outputsOf({ id }: FlowNode, { edges }: FlowDocument) {
  const handles = new Set(edges.filter(({ source }) => source === id).map(handleOf))
  return [...handles].map((handle) => {
    const [name = ''] = handle.replace(`${id}-output-`, '').split('-')
    return { id: handle, name, label: name }
  })
}

const handleOf = ({ source, sourceHandle }: FlowDocument['edges'][number]) => sourceHandle ?? `${source}-output`
