/** Gestures of the pointer on the drawing surface: draw lines, drag nodes, drop node types, open menus. */
import { type FinalConnectionState, type OnConnectStartParams, useReactFlow, useStoreApi } from '@xyflow/react'
import type { DragEvent, MouseEvent } from 'react'
import { ref } from 'valtio'
import { allowed, type Verdict } from '#contract/flow/rules/verdict.ts'
import { notify } from '../../state/notify.ts'
import { nodeAt, type Point } from '../geometry/boxes.ts'
import { isContainer } from '../geometry/node-size.ts'
import { containerOfNode } from '../geometry/placement.ts'
import { beginDrag, carryOver, dragOver, dropCarried, dropWithSnapping, endDrag } from '../interactions/drag.ts'
import { openSearch, openSelectionMenu } from '../interactions/menus.ts'
import { connect } from '../store/commands.ts'
import { connectionTo, sceneOf } from '../store/connecting.ts'
import type { Canvas } from '../store/store.ts'
import type { ViewEdge, ViewNode } from './to-xyflow.ts'

/** The drag type under which the palette hands over a node type's name. */
export const DRAGGED = 'application/x-heddle-node'

const loadSnapping = async () => (await import('../pointer-tools/PointerTools.tsx')).createSnapping()

type AnyEvent = globalThis.MouseEvent | TouchEvent | MouseEvent

interface Pixel {
  clientX: number
  clientY: number
}

/** Returns xyflow's handlers. `snap` aligns nodes with the grid instead of with each other. */
export function useGestures(canvas: Canvas, { snap, readOnly }: { snap: boolean; readOnly: boolean }) {
  const instance = useReactFlow<ViewNode, ViewEdge>()
  const flowPoint = ({ clientX, clientY }: Pixel) =>
    instance.screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false })
  const store = useStoreApi()
  const mark = (dragging: boolean) => store.getState().domNode?.classList.toggle('heddle-dragging', dragging)
  const drag = dragHandlers(canvas, { flowPoint, guides: !snap, mark })
  return readOnly ? drag : { ...drag, ...lineHandlers(canvas, flowPoint), ...menuHandlers(canvas, flowPoint) }
}

type FlowPoint = (pixel: Pixel) => Point

interface DragScene {
  flowPoint: FlowPoint
  guides: boolean
  mark(dragging: boolean): void
}

function dragHandlers(canvas: Canvas, { flowPoint, guides, mark }: DragScene) {
  const begin = (nodes: readonly ViewNode[]) => {
    const ids = nodes.map((node) => node.id)
    mark(true)
    beginDrag(canvas, ids, { guides })
  }
  const drag = (event: AnyEvent) => dragOver(canvas, flowPoint(pointerOf(event)))
  const drop = (does: () => Verdict) =>
    void dropWithSnapping(canvas, does, loadSnapping).then(
      (verdict) => verdict.ok || notify.info(verdict.reason),
      () => notify.error('Part of the canvas did not load. Check your connection and drop the node again.'),
    )
  const end = (event: AnyEvent) => {
    mark(false)
    const at = flowPoint(pointerOf(event))
    const { dragged, snapping } = canvas
    drop(() => {
      if (!snapping && canvas.dragged === dragged) dragOver(canvas, at)
      return canvas.dragged === dragged ? endDrag(canvas, at) : allowed
    })
  }
  return {
    onNodeDragStart: (_: unknown, __: unknown, nodes: ViewNode[]) => begin(nodes),
    onNodeDrag: drag,
    onNodeDragStop: end,
    onSelectionDragStart: (_: unknown, nodes: ViewNode[]) => begin(nodes),
    onSelectionDrag: drag,
    onSelectionDragStop: end,
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      carryOver(canvas, flowPoint(event))
    },
    onDragLeave: (event: DragEvent) => {
      if (event.currentTarget.contains(event.relatedTarget as Node | null)) return
      canvas.state.drop = null
      canvas.state.over = null
    },
    onDrop: (event: DragEvent) => {
      const definition = canvas.definitions.get(event.dataTransfer.getData(DRAGGED))
      if (!definition) return
      event.preventDefault()
      // The keys belong to the canvas from here on, not to the palette.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      const at = flowPoint(event)
      drop(() => dropCarried(canvas, definition, at))
    },
  }
}

function lineHandlers(canvas: Canvas, flowPoint: FlowPoint) {
  return {
    onConnectStart: (_: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
      if (nodeId && handleType) canvas.state.connecting = ref({ nodeId, handleId, type: handleType })
    },
    /** On a node's body the line ends in its handle, on the empty canvas in a new node. A refused one says why. */
    onConnectEnd: (event: globalThis.MouseEvent | TouchEvent, { isValid, toHandle }: FinalConnectionState) => {
      const pending = canvas.state.connecting
      canvas.state.connecting = null
      if (isValid || !pending) return
      const pixel = pointerOf(event)
      const under = document.elementFromPoint(pixel.clientX, pixel.clientY)
      const target = toHandle?.nodeId ?? under?.closest('.react-flow__node')?.getAttribute('data-id')
      const isEmpty = !target || target === containerOfNode(canvas.state.flow, pending.nodeId)?.id
      if (isEmpty && under?.closest('.react-flow__viewport, .react-flow__pane')) {
        openSearch(canvas, { from: pending, at: flowPoint(pixel) }, placeOf(pixel))
      }
      if (isEmpty || target === pending.nodeId) return
      const connection = connectionTo(sceneOf(canvas), pending, { nodeId: target, handleId: toHandle?.id ?? null })
      const verdict = connect(canvas, connection)
      if (!verdict.ok) notify.info(verdict.reason)
    },
  }
}

function menuHandlers(canvas: Canvas, flowPoint: FlowPoint) {
  const searchAt = (event: AnyEvent) => {
    event.preventDefault()
    const pixel = pointerOf(event)
    openSearch(canvas, { at: flowPoint(pixel) }, placeOf(pixel))
  }
  /** Far away, nodes are a picture on the pane. */
  const isEmptyAt = (at: Point) => {
    const node = nodeAt(canvas.state.flow.nodes, at)
    return node === undefined || isContainer(node)
  }
  const menuAt = (event: MouseEvent, on: { nodes?: string[]; edges?: string[] }) => {
    event.preventDefault()
    openSelectionMenu(canvas, on, menuPlace(event))
  }
  return {
    onPaneContextMenu: searchAt,
    onDoubleClick: (event: MouseEvent) => {
      const on = event.target as Element
      if (on.matches('.react-flow__pane, .heddle-container, .heddle-container-empty') && isEmptyAt(flowPoint(event))) {
        searchAt(event)
      }
    },
    onNodeContextMenu: (event: MouseEvent, { id }: ViewNode) => menuAt(event, { nodes: [id] }),
    onEdgeContextMenu: (event: MouseEvent, { id }: ViewEdge) => menuAt(event, { edges: [id] }),
    onSelectionContextMenu: (event: MouseEvent, nodes: ViewNode[]) =>
      menuAt(event, { nodes: nodes.map(({ id }) => id) }),
    /** A click on a handle adds a node beside it, and does not select its own. */
    onClickCapture: (event: MouseEvent) => {
      const handle = (event.target as Element).closest('.react-flow__handle')
      const nodeId = handle?.getAttribute('data-nodeid')
      if (!handle || !nodeId) return
      event.stopPropagation()
      const { right, top } = handle.getBoundingClientRect()
      const type = handle.classList.contains('source') ? 'source' : 'target'
      const from = { nodeId, handleId: handle.getAttribute('data-handleid'), type } as const
      openSearch(canvas, { from, at: null }, { x: right + 16, y: top - 16 })
    },
  }
}

const pointerOf = (event: AnyEvent): Pixel => ('changedTouches' in event ? (event.changedTouches[0] as Touch) : event)

const placeOf = ({ clientX, clientY }: Pixel) => ({ x: clientX, y: clientY })

/** The context-menu key has no pointer: the menu opens at the element. */
function menuPlace(event: MouseEvent) {
  if (event.clientX !== 0 || event.clientY !== 0) return placeOf(event)
  const { left, bottom } = (event.target as Element).getBoundingClientRect()
  return { x: left, y: bottom }
}
