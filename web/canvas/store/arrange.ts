/** Alignment and automatic layout. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { boundsOf, type Point } from '../geometry/boxes.ts'
import { childrenOf, neededSize, PADDING, withSize } from '../geometry/containers.ts'
import { isContainer, isNote, MIN_CONTAINER, nodeSize } from '../geometry/node-size.ts'
import { moveNodes } from './commands.ts'
import { type Canvas, perform } from './store.ts'

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom'

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
      center: { x: (bounds.x + right - width) / 2, y },
      right: { x: right - width, y },
      top: { x, y: bounds.y },
      middle: { x, y: (bounds.y + bottom - height) / 2 },
      bottom: { x, y: bottom - height },
    }
    return [id, aligned[alignment]]
  })
  moveNodes(canvas, new Map(places))
}

/** Gives the selected nodes even gaps. The outermost two stay. */
export function distributeSelection(canvas: Canvas, axis: 'x' | 'y'): void {
  const { flow, selection } = canvas.state
  const side = axis === 'x' ? 'width' : 'height'
  const boxes = flow.nodes
    .filter((node) => selection.nodes.includes(node.id))
    .map((node) => ({ id: node.id, ...node.position, ...nodeSize(node) }))
    .sort((a, b) => a[axis] - b[axis])
  const [first, last] = [boxes[0], boxes.at(-1)]
  if (!first || !last || boxes.length < 3) return
  const taken = boxes.reduce((sum, box) => sum + box[side], 0)
  const gap = (last[axis] + last[side] - first[axis] - taken) / (boxes.length - 1)
  let next = first[axis]
  const places = boxes.map(({ id, x, y, ...size }): [string, Point] => {
    const place = { x, y, [axis]: Math.round(next) }
    next += size[side] + gap
    return [id, place]
  })
  moveNodes(canvas, new Map(places))
}

/** Lays out the flow from left to right, containers first. Notes stay in place. */
export async function layOut(canvas: Canvas): Promise<void> {
  const { default: dagre } = await import('@dagrejs/dagre')
  perform(canvas, 'auto-layout', (flow) => {
    const inside = flow.nodes.filter(isContainer).reduce((now, { id }) => fitted(withLevel(dagre, now, id), id), flow)
    return withLevel(dagre, inside, undefined)
  })
}

type Dagre = typeof import('@dagrejs/dagre')

/** Returns the flow with one level laid out: the flow's own nodes, or a container's. */
function withLevel(dagre: Dagre, flow: FlowDocument, parent: string | undefined): FlowDocument {
  const places = placed(dagre, flow, parent)
  const corner = parent === undefined ? { x: 0, y: 0 } : { x: PADDING.left, y: PADDING.top }
  const nodes = flow.nodes.map((node): FlowNode => {
    const to = places.get(node.id)
    return to ? { ...node, position: { x: to.x + corner.x, y: to.y + corner.y } } : node
  })
  return { ...flow, nodes }
}

function fitted(flow: FlowDocument, id: string): FlowDocument {
  const size = neededSize(childrenOf(flow, id))
  const container = {
    width: Math.max(MIN_CONTAINER.width, size.width),
    height: Math.max(MIN_CONTAINER.height, size.height),
  }
  return { ...flow, nodes: flow.nodes.map((node) => (node.id === id ? withSize(node, container) : node)) }
}

/** Returns the positions of one level's nodes. */
function placed(dagre: Dagre, flow: FlowDocument, parent: string | undefined): Map<string, Point> {
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 40, ranksep: 80 })
  graph.setDefaultEdgeLabel(() => ({}))
  const ids = new Set(flow.nodes.map((node) => node.id))
  const level = flow.nodes.filter(
    (node) => (ids.has(node.parentNode ?? '') ? node.parentNode : undefined) === parent && !isNote(node),
  )
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
