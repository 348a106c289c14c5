/** A connection while it is drawn. */
import { type Connection, checkConnection } from '#contract/flow/document/connect.ts'
import type { Ports } from '#contract/flow/kinds/types.ts'
import type { HandleRef, Scene } from '../geometry/handles.ts'
import type { Canvas } from './store.ts'

export const sceneOf = ({ state, kind }: Canvas): Scene => ({ flow: state.flow, kind: kind.flow })

interface End {
  nodeId: string
  /** Null when the line ends on the node's body. */
  handleId: string | null
}

/** Returns the connection that the drawn line makes; on a node's body, with the first port that accepts it. */
export function connectionTo(scene: Scene, pending: HandleRef, end: End): Connection {
  const all = portIds(scene, end.nodeId, pending.type === 'source' ? 'inputs' : 'outputs')
  const chosen = all.filter((id) => id === end.handleId)
  const connections = (chosen.length > 0 ? chosen : all).map((handleId) => between(pending, { ...end, handleId }))
  return connections.find((connection) => isAllowed(scene, connection)) ?? connections[0] ?? between(pending, end)
}

const between = ({ nodeId, handleId, type }: HandleRef, end: End): Connection =>
  type === 'source'
    ? { source: nodeId, sourceHandle: handleId, target: end.nodeId, targetHandle: end.handleId }
    : { source: end.nodeId, sourceHandle: end.handleId, target: nodeId, targetHandle: handleId }

function portIds({ flow, kind }: Scene, nodeId: string, side: keyof Ports): string[] {
  const node = flow.nodes.find(({ id }) => id === nodeId)
  return node ? kind.ports(node)[side].map(({ id }) => id) : []
}

/** Returns true when the line may end in the node. Returns true for its own node, which must not fade. */
export function canConnect(canvas: Canvas, pending: HandleRef, nodeId: string): boolean {
  if (nodeId === pending.nodeId) return true
  const scene = sceneOf(canvas)
  return isAllowed(scene, connectionTo(scene, pending, { nodeId, handleId: null }))
}

/** Returns true when the line may end at this handle. */
export const canEndAt = (canvas: Canvas, pending: HandleRef, end: End): boolean =>
  isAllowed(sceneOf(canvas), between(pending, end))

const isAllowed = ({ flow, kind }: Scene, connection: Connection): boolean => checkConnection(flow, connection, kind).ok
