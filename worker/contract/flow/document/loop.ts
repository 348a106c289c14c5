/** A Loop node names the node it goes back to as `<nodeId>-<label>`; ids hold no dash, labels may. */
import type { FlowNode } from './document.ts'
import { LOOP } from './node-kinds.ts'

export function loopBackValue(node: Pick<FlowNode, 'id' | 'data'>): string {
  return `${node.id}-${node.data.label}`
}

/** The id of the node that a Loop node goes back to; undefined for other nodes and while none is chosen. */
export function loopTarget(node: Pick<FlowNode, 'data'>): string | undefined {
  const value = node.data.name === LOOP ? node.data.inputs?.loopBackToNode : undefined
  return typeof value === 'string' && value !== '' ? value.split('-', 1)[0] : undefined
}
