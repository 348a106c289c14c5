/** The kinds of flows, by flow type. Of several that own nodes of a file, the first is its kind. */
import type { FlowType } from '../../chatflows.ts'
import type { FlowDocument, NodeData } from '../document/document.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import { agentflow } from './agentflow/kind.ts'
import { assistant } from './assistant/kind.ts'
import { chatflow, multiagent } from './chatflow/kind.ts'
import type { FlowKind } from './types.ts'

export const KINDS: Readonly<Record<FlowType, FlowKind>> = {
  AGENTFLOW: agentflow,
  MULTIAGENT: multiagent,
  CHATFLOW: chatflow,
  ASSISTANT: assistant,
}

export function kindOf(type: FlowType): FlowKind {
  return KINDS[type]
}

/** Returns the kind of a file without a type: the first kind that owns one of its nodes, or agent flows. */
export function kindOfDocument({ nodes }: Pick<FlowDocument, 'nodes'>): FlowKind {
  const owned = nodes.filter(({ data }) => !isStickyNote(data)).map(({ data }) => ownerOf(data))
  return Object.values(KINDS).find((kind) => owned.includes(kind)) ?? agentflow
}

const ownerOf = (data: NodeData): FlowKind => Object.values(KINDS).find((kind) => kind.ownsNode(data)) ?? chatflow
