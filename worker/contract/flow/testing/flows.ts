/** Small flows for the tests of this folder, whatever their kind. */
import { connectNodes } from '../document/connect.ts'
import { createNode } from '../document/create.ts'
import type { FlowDocument, FlowNode } from '../document/document.ts'
import type { FlowKind } from '../kinds/types.ts'
import type { ComponentDefinition } from '../params/definition.ts'

export const empty: FlowDocument = { nodes: [], edges: [] }

/** Draws flows of one kind. */
export function drawingOf(kind: FlowKind) {
  return {
    /** The flow with a new node of each definition, in a row. */
    withNodes(flow: FlowDocument, ...definitions: ComponentDefinition[]): FlowDocument {
      const nodes = [...flow.nodes]
      for (const [index, definition] of definitions.entries()) {
        const node = createNode(definition, { nodes, position: { x: index * 300, y: 0 } }, kind)
        nodes.push({ ...node, width: node.width ?? 200 })
      }
      return { ...flow, nodes }
    },

    /** The flow with edges `source[:output index] > target`, made without asking whether they are allowed. */
    withEdges(flow: FlowDocument, ...edges: string[]): FlowDocument {
      return edges.reduce((so, text) => {
        const [from = '', target = ''] = text.split(' > ')
        const [source = '', index] = from.split(':')
        const sourceHandle = index === undefined ? undefined : `${source}-output-${index}`
        return connectNodes(so, { source, target, ...(sourceHandle ? { sourceHandle } : {}) }, kind)
      }, flow)
    },
  }
}

export function nodeOf(flow: FlowDocument, id: string): FlowNode {
  const node = flow.nodes.find((candidate) => candidate.id === id)
  if (!node) throw new Error(`No node ${id}`)
  return node
}

export function withInputs(flow: FlowDocument, id: string, inputs: Record<string, unknown>): FlowDocument {
  const change = (node: FlowNode): FlowNode => ({
    ...node,
    data: { ...node.data, inputs: { ...node.data.inputs, ...inputs } },
  })
  return { ...flow, nodes: flow.nodes.map((node) => (node.id === id ? change(node) : node)) }
}

export function withParent(flow: FlowDocument, id: string, parentNode: string): FlowDocument {
  const change = (node: FlowNode): FlowNode => ({ ...node, parentNode, extent: 'parent' })
  return { ...flow, nodes: flow.nodes.map((node) => (node.id === id ? change(node) : node)) }
}
