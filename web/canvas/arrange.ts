/** Putting nodes in order: aligned along an edge, spread evenly, or laid out from left to right. */
import type { FlowDocument, FlowNode } from '#contract/flow/document.ts'
import { type Canvas, perform } from './canvas.ts'
import { moveNodes, type Point } from './commands.ts'
import { boundsOf, byId, isNote, nodeSize } from './geometry.ts'

export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'

/** Aligns the selected nodes with each other. */
export function alignSelection(canvas: Canvas, alignment: Alignment): void {
  const { flow, selection } = canvas.state
  const boxes = flow.nodes
    .filter((node) => selection.nodes.includes(node.id))
    .map((node) => ({ id: node.id, ...node.position, ...nodeSize(node) }))
  const bounds = boundsOf(boxes)
  if (!bounds || boxes.length < 2) return
  const right = bounds.x + bounds.width
  const bottom = bounds.y + bounds.height
  const places = boxes.map(({ id, x, y, width, height }): [string, Point] => {
    const aligned: Record<Alignment, Point> = {
      left: { x: bounds.x, y },
      centre: { x: (bounds.x + right - width) / 2, y },
      right: { x: right - width, y },
      top: { x, y: bounds.y },
      middle: { x, y: (bounds.y + bottom - height) / 2 },
      bottom: { x, y: bottom - height },
    }
    return [id, aligned[alignment]]
  })
  moveNodes(canvas, new Map(places))
}

/** Lays out the whole flow from left to right; containers are laid out inside as well. Notes stay where they are. */
export async function layOut(canvas: Canvas): Promise<void> {
  const { default: dagre } = await import('@dagrejs/dagre')
  perform(canvas, 'lay out the flow', (flow) => {
    const parents = new Set(flow.nodes.map((node) => node.parentNode))
    const places = new Map([...parents].flatMap((parent) => [...placed(dagre, flow, parent)]))
    const all = byId(flow.nodes)
    const nodes = flow.nodes.map((node): FlowNode => {
      const to = places.get(node.id)
      if (!to) return node
      const inContainer = node.parentNode !== undefined && all.has(node.parentNode)
      // Inside a container the header keeps its room.
      const position = inContainer ? { x: to.x + 24, y: to.y + 64 } : { x: to.x, y: to.y }
      return { ...node, position }
    })
    return { ...flow, nodes }
  })
}

type Dagre = typeof import('@dagrejs/dagre')

/** The places of the nodes of one level (the flow's own, or a container's), by dagre. */
function placed(dagre: Dagre, flow: FlowDocument, parent: string | undefined): Map<string, Point> {
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 40, ranksep: 80 })
  graph.setDefaultEdgeLabel(() => ({}))
  const level = flow.nodes.filter((node) => node.parentNode === parent && !isNote(node))
  for (const node of level) graph.setNode(node.id, nodeSize(node))
  for (const edge of flow.edges) {
    if (graph.hasNode(edge.source) && graph.hasNode(edge.target)) graph.setEdge(edge.source, edge.target, {}, edge.id)
  }
  dagre.layout(graph)
  return new Map(
    level.map((node) => {
      const { x, y } = graph.node(node.id)
      const { width, height } = nodeSize(node)
      return [node.id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }]
    }),
  )
}
