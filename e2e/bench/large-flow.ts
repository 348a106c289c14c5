/** A flow as large as the product promises to draw. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { code, edge, start } from '../support/flows.ts'

const COLUMNS = 25

/** `count` nodes in rows; each but the first hangs on the one before it, or at a row's beginning on the one above. */
export function grid(count: number): FlowDocument {
  const nodes = Array.from({ length: count }, (_, index) => {
    const node = index === 0 ? start() : code('return $input', index)
    return { ...node, position: { x: (index % COLUMNS) * 320, y: Math.floor(index / COLUMNS) * 160 } }
  })
  const edges = nodes.slice(1).map((node, index) => {
    const above = index + 1 - ((index + 1) % COLUMNS === 0 ? COLUMNS : 1)
    return edge(nodes[above] as FlowNode, node)
  })
  return { nodes, edges }
}
