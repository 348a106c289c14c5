/** Agent flows on the canvas. */
import { drawnAgentflow } from '#contract/flow/kinds/agentflow/drawn.ts'
import { agentflowFacts } from '#contract/flow/kinds/agentflow/facts.ts'
import { NodeIcon } from '../../../ui/NodeIcon.tsx'
import { isContainer, isNote } from '../../geometry/node-size.ts'
import { StickyNote } from '../../surface/StickyNote.tsx'
import type { CanvasKind } from '../types.ts'
import { edgeLabel } from './edge-label.ts'
import { nodeFace } from './face.ts'
import { followInput, moveItems } from './items.ts'
import { AgentNode } from './nodes/AgentNode.tsx'
import { IterationNode } from './nodes/IterationNode.tsx'
import { options } from './options.ts'
import { emptyHint, isStart, isUntouched, runHint, triggerSettings } from './start.tsx'
import { proposeSignature } from './trigger/propose-signature.ts'

export const agentflowKind: CanvasKind = {
  type: agentflowFacts.type,
  flow: drawnAgentflow,
  upserts: null,
  NodeIcon,
  nodeComponents: { agentFlow: AgentNode, iteration: IterationNode, stickyNote: StickyNote },
  nodeComponent: (node) => (isNote(node) ? 'stickyNote' : isContainer(node) ? 'iteration' : 'agentFlow'),
  edgeLabel,
  face: nodeFace,
  containerNoun: 'iteration',
  isEmpty: isUntouched,
  emptyHint,
  isStep: (node) => !isStart(node) && !isNote(node),
  settingsAbove: () => null,
  settingsBelow: triggerSettings,
  proposeInputs: proposeSignature,
  moveItems,
  followInput,
  options,
  runHint,
}
