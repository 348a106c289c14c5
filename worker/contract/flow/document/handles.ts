/** The ids of the points where edges begin and end (spec section 3). */

import { errorHandleId, runPolicyOf } from '../params/run-policy.ts'
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

/** Agent flows have one input handle a node: the node's own id. */
export function agentInputHandleId(nodeId: string): string {
  return nodeId
}

/** The types that a classic handle carries: its last segment, split at `|`. */
export function handleTypes(handleId: string): string[] {
  return handleId
    .slice(handleId.lastIndexOf('-') + 1)
    .split('|')
    .map((type) => type.trim())
}

/** A classic handle without its types, which differ between versions of a component. */
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

/** Whether a failed step of the node goes on at an output of its own. */
export function hasErrorBranch({ data }: Pick<FlowNode, 'data'>): boolean {
  return runPolicyOf(data).onError === 'branch'
}

/** The handles at which edges may leave a node: those of its anchors and their options, and its error branch. */
export function outputHandleIds(node: Pick<FlowNode, 'id' | 'data'>): Set<string> {
  const anchors = node.data.outputAnchors ?? []
  const options = anchors.flatMap((anchor) =>
    Array.isArray(anchor.options) ? (anchor.options as ({ id?: unknown } | null)[]) : [],
  )
  const ids = [...anchors, ...options].flatMap((anchor) => (typeof anchor?.id === 'string' ? anchor.id : []))
  return new Set(hasErrorBranch(node) ? [...ids, errorHandleId(node.id)] : ids)
}
