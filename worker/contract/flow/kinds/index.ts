/** The kinds of flows, by flow type. Of several that own nodes of a file, the first is its kind. */

import type { FlowDocument, NodeData } from '../document/document.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import type { FlowType } from '../flow-types.ts'
import { agentflow } from './agentflow/kind.ts'
import { assistant } from './assistant/kind.ts'
import { chatflow, multiagent } from './chatflow/kind.ts'
import type { CheckedFlowKind } from './types.ts'

export const KINDS: Readonly<Record<FlowType, CheckedFlowKind>> = {
  AGENTFLOW: agentflow,
  MULTIAGENT: multiagent,
  CHATFLOW: chatflow,
  ASSISTANT: assistant,
}

export function kindOf(type: FlowType): CheckedFlowKind {
  return KINDS[type]
}

/** Returns the kind of a file without a type: the first kind that owns one of its nodes, or agent flows. */
export function kindOfDocument({ nodes }: Pick<FlowDocument, 'nodes'>): CheckedFlowKind {
  const owned = nodes.filter(({ data }) => !isStickyNote(data)).map(({ data }) => ownerOf(data))
  return Object.values(KINDS).find((kind) => owned.includes(kind)) ?? agentflow
}

const ownerOf = (data: NodeData): CheckedFlowKind =>
  Object.values(KINDS).find((kind) => kind.ownsNode(data)) ?? chatflow

export const WITHOUT_ITS_ASSISTANT =
  'This flow came without its assistant, so it can’t run. Import the assistant too, or create one under Assistants.'

const FIRST_GENERATION =
  'This is a multi-agent or sequential-agent flow, which can’t run here. Rebuild it as an agent flow, or run it where it came from.'

/** Returns undefined for flows that run. */
export function whyNotRun(type: FlowType, document?: Pick<FlowDocument, 'nodes'>): string | undefined {
  if (!kindOf(type).isRunnable) return FIRST_GENERATION
  const isDrawnHere = kindOf(type).editor !== 'form' || !document || kindOfDocument(document) === agentflow
  return isDrawnHere ? undefined : WITHOUT_ITS_ASSISTANT
}
