/** Disabled nodes: kept in the flow, skipped by its runs. */
import type { FlowDocument, FlowNode, NodeData } from '../document/document.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import type { FlowKind } from '../kinds/types.ts'
import { allowed, refused, type Verdict } from '../rules/verdict.ts'

/** True for a node that runs skip: what arrives at it goes on to the nodes after it. Other products ignore the mark. */
export const isDisabled = (data: Pick<NodeData, 'disabled'>): boolean => data.disabled === true

/** Returns why a node cannot be disabled. */
export function checkDisabling(flow: FlowDocument, node: FlowNode, kind: FlowKind): Verdict {
  if (isStickyNote(node.data)) return refused('Notes do not run.')
  if (kind.startNode(flow)?.id === node.id) return refused('A run begins at Start: it cannot be disabled.')
  return kind.checkDisabling?.(node) ?? allowed
}

/** Returns the flow with these nodes disabled or enabled. Nodes that cannot be disabled stay as they are. */
export function setDisabled(
  flow: FlowDocument,
  ids: readonly string[],
  { disabled, kind }: { disabled: boolean; kind: FlowKind },
): FlowDocument {
  const change = (node: FlowNode): FlowNode => {
    if (!ids.includes(node.id) || isDisabled(node.data) === disabled) return node
    if (!disabled) {
      const { disabled: _, ...data } = node.data
      return { ...node, data }
    }
    return checkDisabling(flow, node, kind).ok ? { ...node, data: { ...node.data, disabled: true } } : node
  }
  const nodes = flow.nodes.map(change)
  return nodes.every((node, index) => node === flow.nodes[index]) ? flow : { ...flow, nodes }
}
