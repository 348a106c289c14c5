/** A connection while it is drawn. */
import { type Connection, checkConnection } from '#contract/flow/document/connect.ts'
import type { Canvas, Pending } from './store.ts'

interface End {
  nodeId: string
  /** Null when the line ends on the node's body. */
  handleId: string | null
}

/** Returns the connection that the drawn line makes; on a node's body, with the first input that accepts it. */
export function connectionTo(canvas: Canvas, pending: Pending, end: End): Connection {
  const { nodeId, handleId, type } = pending
  if (type === 'target') {
    return { source: end.nodeId, sourceHandle: end.handleId, target: nodeId, targetHandle: handleId }
  }
  const to = { source: nodeId, sourceHandle: handleId, target: end.nodeId }
  const inputs = inputIds(canvas, end.nodeId)
  const chosen = inputs.filter((id) => id === end.handleId)
  const connections = (chosen.length > 0 ? chosen : inputs).map((targetHandle) => ({ ...to, targetHandle }))
  return connections.find((connection) => isAllowed(canvas, connection)) ?? connections[0] ?? to
}

function inputIds({ state, kind }: Canvas, nodeId: string): string[] {
  const node = state.flow.nodes.find(({ id }) => id === nodeId)
  return node ? kind.flow.ports(node).inputs.map(({ id }) => id) : []
}

/** Whether the line may end in the node. Returns true for its own node, which must not fade. */
export function canConnect(canvas: Canvas, pending: Pending, nodeId: string): boolean {
  if (nodeId === pending.nodeId) return true
  return isAllowed(canvas, connectionTo(canvas, pending, { nodeId, handleId: null }))
}

const isAllowed = ({ state, kind }: Canvas, connection: Connection): boolean =>
  checkConnection(state.flow, connection, kind.flow).ok
