/** What kind of node it is, wherever a rule asks for that. */
import type { FlowDocument, FlowNode, NodeData } from './document.ts'

export const AGENT_FLOWS = 'Agent Flows'
export const START = 'startAgentflow'
export const ITERATION = 'iterationAgentflow'
export const LOOP = 'loopAgentflow'
export const HUMAN_INPUT = 'humanInputAgentflow'
export const CONDITION = 'conditionAgentflow'
export const CONDITION_AGENT = 'conditionAgentAgentflow'

type Kind = Pick<NodeData, 'category' | 'type' | 'name'>

/** Nodes of agent flows have one input handle, the node's own id, and are joined without types. */
export function isAgentFlowNode(data: Kind): boolean {
  return data.category === AGENT_FLOWS || data.name.endsWith('Agentflow')
}

export function isStickyNote(data: Kind): boolean {
  return data.type === 'StickyNote' || data.name === 'stickyNote' || data.name === 'stickyNoteAgentflow'
}

/** Condition and Condition Agent: their outputs follow the items of an array input. */
export function isConditionNode(data: Kind): boolean {
  return data.name === CONDITION || data.name === CONDITION_AGENT
}

export function startNodes(flow: Pick<FlowDocument, 'nodes'>): FlowNode[] {
  return flow.nodes.filter((node) => node.data.name === START)
}
