/** Drawing a connection: which nodes it may end in, and what to say where it may not. */
import { type Connection, checkConnection } from '#contract/flow/document/connect.ts'
import type { Canvas, Pending } from './store.ts'

/** The connection that a drawn line makes when it ends in a node; it may begin at either end. */
export function connectionTo(
  { nodeId, handleId, type }: Pending,
  other: { nodeId: string; handleId?: string | null },
): Connection {
  return type === 'source'
    ? { source: nodeId, sourceHandle: handleId, target: other.nodeId }
    : { source: other.nodeId, sourceHandle: other.handleId ?? null, target: nodeId }
}

/** Whether the drawn line may end in the node; its own node counts as possible, so that it does not fade. */
export function canConnect({ state }: Canvas, pending: Pending, nodeId: string): boolean {
  return nodeId === pending.nodeId || checkConnection(state.flow, connectionTo(pending, { nodeId })).ok
}
