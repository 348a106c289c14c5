/** A connection while it is drawn. */
import { type Connection, checkConnection } from '#contract/flow/document/connect.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import type { Canvas, Pending } from './store.ts'

/** A document and the rules that it follows. */
export interface Scene {
  flow: FlowDocument
  kind: FlowKind
}

export const sceneOf = ({ state, kind }: Canvas): Scene => ({ flow: state.flow, kind: kind.flow })

interface End {
  nodeId: string
  /** Null when the line ends on the node's body. */
  handleId: string | null
}

/** Returns the connection that the drawn line makes; on a node's body, with the first input that accepts it. */
export function connectionTo(scene: Scene, pending: Pending, end: End): Connection {
  const { nodeId, handleId, type } = pending
  if (type === 'target') {
    return { source: end.nodeId, sourceHandle: end.handleId, target: nodeId, targetHandle: handleId }
  }
  const to = { source: nodeId, sourceHandle: handleId, target: end.nodeId }
  const inputs = inputIds(scene, end.nodeId)
  const chosen = inputs.filter((id) => id === end.handleId)
  const connections = (chosen.length > 0 ? chosen : inputs).map((targetHandle) => ({ ...to, targetHandle }))
  return connections.find((connection) => isAllowed(scene, connection)) ?? connections[0] ?? to
}

function inputIds({ flow, kind }: Scene, nodeId: string): string[] {
  const node = flow.nodes.find(({ id }) => id === nodeId)
  return node ? kind.ports(node).inputs.map(({ id }) => id) : []
}

/** Whether the line may end in the node. Returns true for its own node, which must not fade. */
export function canConnect(canvas: Canvas, pending: Pending, nodeId: string): boolean {
  if (nodeId === pending.nodeId) return true
  const scene = sceneOf(canvas)
  return isAllowed(scene, connectionTo(scene, pending, { nodeId, handleId: null }))
}

const isAllowed = ({ flow, kind }: Scene, connection: Connection): boolean => checkConnection(flow, connection, kind).ok
