/** Finds edges that lead nowhere. */
import type { FlowKind, Port } from '../kinds/types.ts'
import type { FlowDocument, FlowEdge } from './document.ts'

/** Returns the edges with a missing node, or with a handle that is not a port of their node. */
export function orphanedEdges(flow: Pick<FlowDocument, 'nodes' | 'edges'>, kind: FlowKind): FlowEdge[] {
  const keyOf = (handle: string | null | undefined) => kind.handleKey(handle ?? '')
  const keys = (ports: Port[]) => new Set(ports.map(({ id }) => keyOf(id)))
  const nodes = new Map(
    flow.nodes.map((node) => {
      const { inputs, outputs } = kind.ports(node)
      return [node.id, { inputs: keys(inputs), outputs: keys(outputs) }] as const
    }),
  )
  return flow.edges.filter(({ source, sourceHandle, target, targetHandle }) => {
    return !nodes.get(source)?.outputs.has(keyOf(sourceHandle)) || !nodes.get(target)?.inputs.has(keyOf(targetHandle))
  })
}
