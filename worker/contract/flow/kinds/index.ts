/** The kinds of flows, by flow type. */
import type { FlowType } from '../../chatflows.ts'
import type { FlowDocument, NodeData } from '../document/document.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import { agentflow } from './agentflow/kind.ts'
import { assistant, chatflow, multiagent } from './chatflow/kind.ts'
import type { FlowKind } from './types.ts'

export const KINDS: Readonly<Record<FlowType, FlowKind>> = {
  AGENTFLOW: agentflow,
  CHATFLOW: chatflow,
  MULTIAGENT: multiagent,
  ASSISTANT: assistant,
}

export function kindOf(type: FlowType): FlowKind {
  return KINDS[type]
}

/** The kind to which a node belongs, for documents of which nobody knows the type: files, clipboards. */
export function kindOfNode(data: Pick<NodeData, 'category' | 'type' | 'name'>): FlowKind {
  return Object.values(KINDS).find((kind) => kind.ownsNode(data)) ?? chatflow
}

/** The kind of most documents' first node; agent flows where there is none. */
export function kindOfDocument({ nodes }: Pick<FlowDocument, 'nodes'>): FlowKind {
  const kinds = new Set(nodes.filter(({ data }) => !isStickyNote(data)).map(({ data }) => kindOfNode(data)))
  return Object.values(KINDS).find((kind) => kinds.has(kind)) ?? agentflow
}
