/** Ids of handles and edges. */

import { runPolicyOf } from '../params/run-policy.ts'
import type { FlowNode } from './document.ts'

export function inputHandleId(nodeId: string, name: string, type: string): string {
  return `${nodeId}-input-${name}-${type}`
}

export function outputHandleId(nodeId: string, name: string, baseClasses: readonly string[]): string {
  return `${nodeId}-output-${name}-${baseClasses.join('|')}`
}

/** The id that Flowise gives to an edge. */
export function edgeId(source: string, sourceHandle: string, to: { target: string; targetHandle: string }): string {
  return `${source}-${sourceHandle}-${to.target}-${to.targetHandle}`
}

/** True when a failed step of the node continues at an output of its own. */
export function hasErrorBranch({ data }: Pick<FlowNode, 'data'>): boolean {
  return runPolicyOf(data).onError === 'branch'
}
