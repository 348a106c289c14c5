/** Prepares flows of unsupported types for the canvas. Pure. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'

/** Returns the flow with one input per node and one output per connected handle. */
export function toDrawableFlow(flow: FlowDocument): FlowDocument {
  return {
    ...flow,
    nodes: flow.nodes.map((node) => ({
      ...node,
      data: {
        ...node.data,
        hideInput: false,
        hideOutput: false,
        inputAnchors: [],
        outputAnchors: outputHandles(node, flow),
      },
    })),
    edges: flow.edges.map((edge) => ({ ...edge, sourceHandle: sourceHandleOf(edge), targetHandle: edge.target })),
  }
}

function outputHandles({ id }: FlowNode, { edges }: FlowDocument) {
  const handles = new Set(edges.filter(({ source }) => source === id).map(sourceHandleOf))
  return [...handles].map((handle) => {
    const [name = ''] = handle.replace(`${id}-output-`, '').split('-')
    return { id: handle, name, label: name }
  })
}

const sourceHandleOf = ({ source, sourceHandle }: FlowDocument['edges'][number]) => sourceHandle ?? `${source}-output`
