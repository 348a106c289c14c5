/** Agent flows as they are drawn: steps from a Start node on, joined without types. */

import { withPracticeModel } from '../../practice-model.ts'
import type { FlowKind } from '../types.ts'
import { conditionAnchors, conditionItems } from './conditions.ts'
import { checkConnection, checkEnds, edgeShape, ports } from './connections.ts'
import { agentflowFacts } from './facts.ts'
import { edgeOutput } from './handles.ts'
import { backEdges, withBackEdges } from './loop.ts'
import { checkPlacement, copyLabel, frame, newLabel, outputAnchors } from './new-nodes.ts'
import { AGENT, isAgentFlowNode, isConditionNode, isContainer, START, startNodes } from './nodes.ts'
import { palette } from './palette.ts'
import { declaredValues, describeOutput } from './values.ts'

export const drawnAgentflow: FlowKind = {
  ...agentflowFacts,

  ownsNode: isAgentFlowNode,
  palette,
  firstNodes: [{ name: START }, { name: AGENT, inputs: withPracticeModel('agentModel') }],
  checkPlacement,

  frame,
  newLabel,
  copyLabel,
  outputAnchors,
  anchorsFromInputs: (node) =>
    isConditionNode(node.data) ? conditionAnchors(node, conditionItems(node).length) : undefined,
  initialOutputs: ({ name }) => ({ [name]: '' }),

  ports,
  handleKey: (handleId) => handleId,
  checkEnds,
  checkConnection,
  cycleAdvice: 'Use a Loop node to go back to an earlier node',
  outputIndex: (_, edge) => edgeOutput(edge),
  edgeShape,
  linkInput: (target) => target,
  unlinkInput: (target) => target,

  isContainer,
  containerNoun: 'iteration',
  backEdges,
  withBackEdges,

  startNode: (flow) => startNodes(flow)[0],
  declaredValues,
  outputReference: (nodeId) => nodeId,
  describeOutput,
}
