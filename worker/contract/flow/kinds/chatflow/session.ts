/** The session that a chat flow names for its conversations. */
import type { FlowDocument } from '../../document/document.ts'

const MAX_LENGTH = 200

/** Returns the session ID of the memory that the flow uses, as typed. Undefined: each chat is a session of its own. */
export function sessionOfMemory({ nodes, edges }: FlowDocument): string | undefined {
  const used = new Set(edges.map(({ source }) => source))
  const memory = nodes.find(({ id, data }) => data.category === 'Memory' && used.has(id))
  const session = memory?.data.inputs?.sessionId
  return typeof session === 'string' ? session.trim().slice(0, MAX_LENGTH) || undefined : undefined
}
