/** Chat flows on the canvas. */
import { drawnChatflow } from '#contract/flow/kinds/chatflow/drawn.ts'
import { chatflowFacts } from '#contract/flow/kinds/chatflow/facts.ts'
import { followCondition } from '#contract/flow/kinds/chatflow/outputs.ts'
import { filledStores, keepsDocuments, storesOf } from '#contract/flow/kinds/chatflow/upsert.ts'
import { isNote } from '../../geometry/node-size.ts'
import { StickyNote } from '../../surface/StickyNote.tsx'
import { inputsLine } from '../inputs-line.ts'
import type { CanvasKind } from '../types.ts'
import { ChatNode } from './ChatNode.tsx'
import { edgeLabel } from './edge-label.ts'
import { NodeIcon } from './NodeIcon.tsx'
import { OutputField } from './OutputField.tsx'
import { isUntouched } from './untouched.ts'

export const chatflowKind: CanvasKind = {
  type: chatflowFacts.type,
  flow: drawnChatflow,
  upserts: { storesOf, filledStores, keepsDocuments },
  NodeIcon,
  nodeComponents: { customNode: ChatNode, stickyNote: StickyNote },
  nodeComponent: (node) => (isNote(node) ? 'stickyNote' : 'customNode'),
  edgeLabel,
  face: (node, definitions) => ({ first: inputsLine(node, definitions), second: '', tools: [] }),
  containerNoun: null,
  isEmpty: isUntouched,
  emptyHint: ({ nodes }) =>
    nodes.length === 0
      ? 'Add a chain or an agent, then drag from its inputs to see what fits there.'
      : 'This flow is ready to chat. Drag from an input to see what fits there, or add more nodes.',
  isStep: () => false,
  settingsAbove: (node) => <OutputField node={node} />,
  settingsBelow: () => null,
  proposeInputs: () => ({}),
  moveItems: () => null,
  followInput: followCondition,
  options: {},
  runHint: () => 'Send a message in the chat to run the flow.',
}
