/** Draws dragged nodes to the lines of those beside them, and finds the connection under the pointer. */
import { ref } from 'valtio'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { boundsOf, byId, nodeBox, type Point } from '../geometry/boxes.ts'
import { rootsOf } from '../geometry/containers.ts'
import { nodeHandles } from '../geometry/handles.ts'
import { isContainer, nodeSize } from '../geometry/node-size.ts'
import type { CanvasKind } from '../kinds/types.ts'
import { sceneOf } from '../store/connecting.ts'
import type { Canvas, Snapping } from '../store/store.ts'
import { type Curve, computeCurves, curveAt } from './curves.ts'
import { type Lines, linesOf, type Outline, snapTo } from './snap-lines.ts'

/** In pixels of the screen. */
const REACH = 6
const EDGE_REACH = 20

interface Beginning {
  nodes: ReadonlyMap<string, FlowNode>
  lines: Lines
  /** The corner of the container that all dragged nodes are in. */
  origin: Point
}

export function createSnapping(): Snapping {
  let beginning: Beginning | null = null
  let curves: { of: unknown; all: Curve[] } | null = null
  return {
    begin(canvas, { guides }) {
      beginning = guides ? beginSnapping(canvas) : null
    },
    move(canvas, places) {
      if (!beginning) return places
      const { nodes, lines, origin } = beginning
      const moved = [...places].flatMap(([id, place]) => {
        const node = nodes.get(id)
        return node ? [{ node, box: { ...place, ...nodeSize(node) } }] : []
      })
      const bounds = boundsOf(moved.map(({ box }) => box))
      const [only] = moved
      if (!bounds || !only) return places
      const handleY = moved.length === 1 ? handleYOf(only.node, canvas.kind) : bounds.height / 2
      const { by, guides } = snapTo(lines, { ...bounds, handleY }, REACH / zoomOf(canvas))
      const { state } = canvas
      if (guides.length + state.guides.length > 0) {
        const shift = { x: [origin.x, origin.y], y: [origin.y, origin.x] } as const
        state.guides = ref(
          guides.map(({ axis, at, from, to }) => {
            const [across, along] = shift[axis]
            return { axis, at: at + across, from: from + along, to: to + along }
          }),
        )
      }
      if (by.x === 0 && by.y === 0) return places
      return new Map([...places].map(([id, { x, y }]) => [id, { x: x + by.x, y: y + by.y }]))
    },
    edgeAt(canvas, at) {
      // The node on its way has no connections: no curve moves during a drag.
      const of = canvas.dragged ?? canvas.state.flow
      if (curves?.of !== of) curves = { of, all: computeCurves(sceneOf(canvas)) }
      return curveAt(curves.all, at, EDGE_REACH / zoomOf(canvas))?.id
    },
  }
}

const zoomOf = ({ view }: Canvas): number => view?.zoom ?? 1

function beginSnapping(canvas: Canvas): Beginning | null {
  const { flow } = canvas.state
  const dragged = new Set(canvas.dragged ?? [])
  const roots = rootsOf(flow, dragged)
  const parents = new Set(roots.map(({ parentNode }) => parentNode))
  if (parents.size !== 1) return null
  const [parent] = parents
  const nodes = byId(flow.nodes)
  const container = parent === undefined ? undefined : nodes.get(parent)
  const staying = flow.nodes.filter((node) => node.parentNode === parent && !dragged.has(node.id))
  return {
    nodes,
    lines: linesOf(staying.map((node) => outlineOf(node, canvas.kind))),
    origin: container ? nodeBox(container, nodes) : { x: 0, y: 0 },
  }
}

const outlineOf = (node: FlowNode, kind: CanvasKind): Outline => ({
  ...node.position,
  ...nodeSize(node),
  handleY: handleYOf(node, kind),
})

/** The height of the connections that lead straight to the node; its middle where it has none. */
function handleYOf(node: FlowNode, kind: CanvasKind): number {
  const middle = nodeSize(node).height / 2
  return isContainer(node) ? middle : (nodeHandles(node, kind)[0]?.y ?? middle)
}
