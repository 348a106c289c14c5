/** A problem of a flow, as a text for people. */
import * as z from 'zod'
import type { FlowNode } from '../document/document.ts'

export const problemSchema = z.object({
  nodeId: z.string().nullable().describe('Null when it concerns the flow as a whole'),
  label: z.string().describe('The label of the node, or `Flow`'),
  issue: z.string(),
  param: z.string().optional().describe('The name of the parameter to look at'),
  severity: z.enum(['error', 'warning']).describe('An error keeps the flow, or that part of it, from running'),
  needsPerson: z
    .literal(true)
    .optional()
    .describe('Only a person can see to it: a secret, or a choice among what the workspace has'),
})

export type Problem = z.infer<typeof problemSchema>

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
