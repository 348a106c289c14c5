/** Edges that lead nowhere. */
import { kindOfNode } from '../kinds/index.ts'
import type { FlowKind, Port } from '../kinds/types.ts'
import type { FlowDocument, FlowEdge } from './document.ts'

/** Edges whose node is gone, or whose handle is not a port of their node. */
export function orphanedEdges(flow: Pick<FlowDocument, 'nodes' | 'edges'>, kind?: FlowKind): FlowEdge[] {
  const nodes = new Map(
    flow.nodes.map((node) => {
      const own = kind ?? kindOfNode(node.data)
      const { inputs, outputs } = own.ports(node)
      const keys = (ports: Port[]) => new Set(ports.map(({ id }) => own.handleKey(id)))
      return [node.id, { inputs: keys(inputs), outputs: keys(outputs), keyOf: own.handleKey }] as const
    }),
  )
  return flow.edges.filter(({ source, sourceHandle, target, targetHandle }) => {
    const [from, to] = [nodes.get(source), nodes.get(target)]
    return !from?.outputs.has(from.keyOf(sourceHandle ?? '')) || !to?.inputs.has(to.keyOf(targetHandle ?? ''))
  })
}
