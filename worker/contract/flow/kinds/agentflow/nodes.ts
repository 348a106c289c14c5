/** The names of agent-flow nodes that have rules of their own. */
import type { FlowDocument, FlowNode, NodeData } from '../../document/document.ts'

export const AGENT_FLOWS = 'Agent Flows'
export const START = 'startAgentflow'
export const AGENT = 'agentAgentflow'
export const ITERATION = 'iterationAgentflow'
export const LOOP = 'loopAgentflow'
export const HUMAN_INPUT = 'humanInputAgentflow'
export const CONDITION = 'conditionAgentflow'
export const CONDITION_AGENT = 'conditionAgentAgentflow'

export function isAgentFlowNode(data: Pick<NodeData, 'category' | 'name'>): boolean {
  return data.category === AGENT_FLOWS || data.name.endsWith('Agentflow')
}

/** Returns true for Condition and Condition Agent, whose outputs follow the items of an array input. */
export function isConditionNode(data: Pick<NodeData, 'name'>): boolean {
  return data.name === CONDITION || data.name === CONDITION_AGENT
}

export function isContainer(data: Pick<NodeData, 'name'>): boolean {
  return data.name === ITERATION
}

export function startNodes(flow: Pick<FlowDocument, 'nodes'>): FlowNode[] {
  return flow.nodes.filter((node) => node.data.name === START)
}
