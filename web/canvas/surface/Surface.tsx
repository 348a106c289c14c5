import '@xyflow/react/dist/style.css'
import './canvas.css'
import {
  ConnectionMode,
  type FinalConnectionState,
  type OnConnectStartParams,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  useStore,
  useStoreApi,
} from '@xyflow/react'
import { type DragEvent, type MouseEvent, useMemo, useState } from 'react'
import { ref, useSnapshot } from 'valtio'
import { appearance } from '../../api/appearance.ts'
import { notify } from '../../state/notify.ts'
import { followEdgeChanges, followNodeChanges } from '../store/changes.ts'
import { addNode, connect } from '../store/commands.ts'
import { connectionTo } from '../store/connecting.ts'
import { useCanvas } from '../store/context.ts'
import { beginDrag, carryOver, dragOver, endCarry, endDrag } from '../store/drag.ts'
import { selectByFocus } from '../store/focus.ts'
import { useSameArray } from '../store/hooks.ts'
import { select } from '../store/store.ts'
import { Dots } from './Dots.tsx'
import { FAR_ZOOM, FarView, FEW_NODES } from './FarView.tsx'
import { FlowEdge } from './FlowEdge.tsx'
import { byId, nodeBox } from './geometry.ts'
import { MiniMap } from './MiniMap.tsx'
import { type ViewEdge, type ViewNode, viewEdges, viewNodes } from './to-xyflow.ts'
import { MAX_ZOOM, MIN_ZOOM, showNode, viewOf } from './viewport.ts'

/** The drag type under which the palette hands over a node type's name. */
export const DRAGGED = 'application/x-heddle-node'

const edgeTypes = { flow: FlowEdge }
const NO_NODES: ViewNode[] = []
const NO_EDGES: ViewEdge[] = []
const GRID: [number, number] = [10, 10]
/** Pixels that the pointer may move in a click. */
const CLICK = 4

export interface CanvasSurfaceProps {
  snap?: boolean
  miniMap: boolean
  /** Nodes can be looked at and chosen, not changed. */
  readOnly?: boolean
  /** A node was clicked, not dragged. */
  onOpen?: (nodeId: string) => void
}

/** The drawing surface. Stands inside a ReactFlowProvider and a CanvasProvider. */
export function Flow({ snap = false, miniMap, readOnly = false, onOpen }: CanvasSurfaceProps) {
  const canvas = useCanvas()
  const { nodeComponents, Overlay } = canvas.kind
  const { flow, selection } = useSnapshot(canvas.state, { sync: true })
  const { isDarkMode } = useSnapshot(appearance)
  const mode = isDarkMode ? 'dark' : 'light'
  const instance = useReactFlow<ViewNode, ViewEdge>()
  const large = flow.nodes.length > FEW_NODES
  const far = useStore((store) => store.transform[2] < FAR_ZOOM) && large
  const nodes = useMemo(() => viewNodes(flow, selection, canvas.kind), [flow, selection, canvas])
  const edges = useSameArray(useMemo(() => viewEdges(flow, selection, canvas.kind), [flow, selection, canvas]))

  const store = useStoreApi()
  /** Set on the element itself: rendering at the first move would cost the frame. */
  const surface = (moving: boolean) => store.getState().domNode?.classList.toggle('heddle-moving', moving)

  /** A flow that brings no view of its own is shown whole, and not before it stands where it stays. */
  const [placed, setPlaced] = useState(canvas.view !== null)
  const showFirst = async () => {
    const view = canvas.view ?? viewOf(flow, store.getState())
    canvas.view = view
    if (view) await instance.setViewport(view)
    setPlaced(true)
  }
  const drawn = placed && !far

  const startConnection = (_: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
    if (nodeId && handleType) canvas.state.connecting = ref({ nodeId, handleId, type: handleType })
  }

  /** A line that ends on a node's body counts as ending in its handle; a refused one says why. */
  const endConnection = (event: globalThis.MouseEvent | TouchEvent, { isValid, toHandle }: FinalConnectionState) => {
    const pending = canvas.state.connecting
    canvas.state.connecting = null
    const target = toHandle?.nodeId ?? nodeIdAt(event)
    if (isValid || !pending || !target || target === pending.nodeId) return
    const connection = connectionTo(canvas, pending, { nodeId: target, handleId: toHandle?.id ?? null })
    const verdict = connect(canvas, connection)
    if (!verdict.ok) notify.info(verdict.reason)
  }

  const drop = (event: DragEvent) => {
    const definition = canvas.definitions.get(event.dataTransfer.getData(DRAGGED))
    if (!definition) return
    event.preventDefault()
    endCarry(canvas)
    // The keys belong to the canvas from here on, not to the palette.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const verdict = addNode(canvas, definition, pointOf(event))
    if (!verdict.ok) notify.info(verdict.reason)
  }
  const pointOf = (event: { clientX: number; clientY: number }) =>
    instance.screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: false })
  const startDrag = (nodes: readonly ViewNode[]) =>
    beginDrag(
      canvas,
      nodes.map((node) => node.id),
    )
  const stopDrag = (event: globalThis.MouseEvent | TouchEvent | MouseEvent) => {
    const verdict = endDrag(canvas, pointOf(pointerOf(event)))
    if (!verdict.ok) notify.info(verdict.reason)
  }

  /** Far away the nodes are a picture: find the one under the pointer. */
  const clickPane = (event: MouseEvent) => {
    if (!far) return select(canvas, {})
    const at = instance.screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: false })
    const all = byId(flow.nodes)
    const hit = flow.nodes.findLast((node) => {
      const box = nodeBox(node, all)
      return at.x >= box.x && at.x <= box.x + box.width && at.y >= box.y && at.y <= box.y + box.height
    })
    select(canvas, { nodes: hit ? [hit.id] : [] })
    if (hit) onOpen?.(hit.id)
    if (hit && event.detail > 1) showNode(instance as never, flow, hit.id)
  }

  return (
    <ReactFlow
      className="heddle-flow"
      colorMode={mode}
      nodes={drawn ? nodes : NO_NODES}
      edges={drawn ? edges : NO_EDGES}
      nodeTypes={nodeComponents}
      edgeTypes={edgeTypes}
      onNodesChange={(changes) => followNodeChanges(canvas, changes)}
      onEdgesChange={(changes) => followEdgeChanges(canvas, changes)}
      onNodeClick={(event, { id }) => isPlain(event) && onOpen?.(id)}
      // A hand that trembles still clicks.
      nodeClickDistance={CLICK}
      nodeDragThreshold={CLICK}
      onFocus={({ target }) => selectByFocus(canvas, target)}
      onNodeDragStart={(_, __, dragged) => startDrag(dragged)}
      onNodeDrag={(event) => dragOver(canvas, pointOf(pointerOf(event)))}
      onNodeDragStop={stopDrag}
      onSelectionDragStart={(_, dragged) => startDrag(dragged)}
      onSelectionDrag={(event) => dragOver(canvas, pointOf(event))}
      onSelectionDragStop={stopDrag}
      onConnectStart={startConnection}
      onConnect={(connection) => {
        const verdict = connect(canvas, connection)
        if (!verdict.ok) notify.info(verdict.reason)
      }}
      onConnectEnd={endConnection}
      isValidConnection={(connection) => connection.source !== connection.target}
      onMoveStart={() => surface(true)}
      onMoveEnd={(_, view) => {
        canvas.view = view
        surface(false)
      }}
      onInit={() => void showFirst()}
      {...(canvas.view ? { defaultViewport: canvas.view } : {})}
      onPaneClick={clickPane}
      onDragOver={(event) => {
        event.preventDefault()
        carryOver(canvas, pointOf(event))
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) canvas.state.drop = null
      }}
      onDrop={drop}
      nodesDraggable={!readOnly}
      nodesConnectable={!readOnly}
      connectionMode={ConnectionMode.Strict}
      connectionRadius={24}
      selectionMode={SelectionMode.Partial}
      snapToGrid={snap}
      snapGrid={GRID}
      minZoom={MIN_ZOOM}
      maxZoom={MAX_ZOOM}
      deleteKeyCode={null}
      multiSelectionKeyCode={['Meta', 'Control']}
      zoomOnDoubleClick={false}
      onlyRenderVisibleElements={large}
      elevateNodesOnSelect={false}
      proOptions={{ hideAttribution: true }}
      // Shift would extend a text selection made before, and copying would take that text.
      onPointerDownCapture={() => window.getSelection()?.removeAllRanges()}
      aria-label="Flow"
    >
      {/* Composing them costs a third of a frame that a large flow needs. */}
      {!large && <Dots />}
      {drawn && Overlay && <Overlay />}
      {far && <FarView mode={mode} />}
      {miniMap && <MiniMap mode={mode} />}
    </ReactFlow>
  )
}

/** A click with one of these keys selects several nodes. */
const isPlain = ({ shiftKey, metaKey, ctrlKey }: MouseEvent) => !(shiftKey || metaKey || ctrlKey)

const pointerOf = (event: globalThis.MouseEvent | TouchEvent | MouseEvent) =>
  'changedTouches' in event ? (event.changedTouches[0] as Touch) : event

function nodeIdAt(event: globalThis.MouseEvent | TouchEvent): string | null {
  const { clientX, clientY } = pointerOf(event)
  const element = document.elementFromPoint(clientX, clientY)?.closest('.react-flow__node')
  return element?.getAttribute('data-id') ?? null
}
