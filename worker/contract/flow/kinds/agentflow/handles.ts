/** Ids of output handles. */
import type { FlowEdge } from '../../document/document.ts'

/** Returns `{nodeId}-output-{index}` for a node that declares outputs, `{nodeId}-output-{component name}` otherwise. */
export function outputHandleId(nodeId: string, indexOrName: number | string): string {
  return `${nodeId}-output-${indexOrName}`
}

/** Returns the index in an output handle's id, or undefined when it has a name instead. */
export function outputIndex(handleId: string | null | undefined): number | undefined {
  const digits = /-output-(\d+)$/.exec(handleId ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Returns the output of an edge, by its handle or by the label that old files use instead. */
export function edgeOutput({ sourceHandle, data }: FlowEdge): number | undefined {
  const label = Number(data?.edgeLabel ?? Number.NaN)
  return outputIndex(sourceHandle) ?? (Number.isInteger(label) ? label : undefined)
}
