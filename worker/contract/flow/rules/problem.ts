/** A problem of a flow, as a text for people. */
import type { Problem } from '../../schemas/problem.ts'
import type { FlowNode } from '../document/document.ts'

export type { Problem }

/** A problem before it is attributed to a node or to the flow. */
export type NodeProblem = Omit<Problem, 'nodeId' | 'label'>

/** `LLM 0: Model is required` */
export function problemText({ label, issue }: Pick<Problem, 'label' | 'issue'>): string {
  return `${label}: ${issue}`
}

export function aboutNode(node: FlowNode, problems: NodeProblem[]): Problem[] {
  return problems.map((problem) => ({ nodeId: node.id, label: labelOf(node), ...problem }))
}

export function aboutFlow(problem: NodeProblem): Problem {
  return { nodeId: null, label: 'Flow', ...problem }
}

export const error = (issue: string): NodeProblem => ({ issue, severity: 'error' })
export const warning = (issue: string): NodeProblem => ({ issue, severity: 'warning' })

/** Returns the node's label, or its id when it has none. */
export function labelOf({ id, data }: Pick<FlowNode, 'id' | 'data'>): string {
  return data.label || id
}
