/** Ids of handles and edges. */

import { runPolicyOf } from '../params/run-policy.ts'
import type { FlowNode } from './document.ts'

export function inputHandleId(nodeId: string, name: string, type: string): string {
  return `${nodeId}-input-${name}-${type}`
}

export function outputHandleId(nodeId: string, name: string, baseClasses: readonly string[]): string {
  return `${nodeId}-output-${name}-${baseClasses.join('|')}`
}

/** Agent flows: `{nodeId}-output-{index}` for a node that declares outputs, `{nodeId}-output-{component name}` otherwise. */
export function agentOutputHandleId(nodeId: string, indexOrName: number | string): string {
  return `${nodeId}-output-${indexOrName}`
}

/** The types of a chat-flow handle: its last segment, split at `|`. */
export function handleTypes(handleId: string): string[] {
  return handleId
    .slice(handleId.lastIndexOf('-') + 1)
    .split('|')
    .map((type) => type.trim())
}

/** A chat-flow handle without its types. */
export function handleWithoutTypes(handleId: string): string {
  return handleId.slice(0, handleId.lastIndexOf('-'))
}

/** The index of an agent flow's output handle, or undefined when it has a name instead. */
export function outputIndex(handleId: string | null | undefined): number | undefined {
  const digits = /-output-(\d+)$/.exec(handleId ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The id that Flowise gives to an edge. */
export function edgeId(source: string, sourceHandle: string, to: { target: string; targetHandle: string }): string {
  return `${source}-${sourceHandle}-${to.target}-${to.targetHandle}`
}

/** True when a failed step of the node continues at an output of its own. */
export function hasErrorBranch({ data }: Pick<FlowNode, 'data'>): boolean {
  return runPolicyOf(data).onError === 'branch'
}
