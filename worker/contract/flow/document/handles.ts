/** Ids of handles and edges. */

import { runPolicyOf } from '../params/run-policy.ts'
import type { FlowNode } from './document.ts'

export function inputHandleId(nodeId: string, name: string, type: string): string {
  return `${nodeId}-input-${name}-${type}`
}

export function outputHandleId(nodeId: string, name: string, baseClasses: readonly string[]): string {
  return `${nodeId}-output-${name}-${baseClasses.join('|')}`
}

/** Returns the id of an edge in Flowise's format. */
export function edgeId(source: string, sourceHandle: string, to: { target: string; targetHandle: string }): string {
  return `${source}-${sourceHandle}-${to.target}-${to.targetHandle}`
}

/** Returns true when a failed step of the node continues at its error output. */
export function hasErrorBranch({ data }: Pick<FlowNode, 'data'>): boolean {
  return runPolicyOf(data).onError === 'branch'
}
