import '@xyflow/react/dist/style.css'
import './canvas.css'
import {
  type Connection,
  ConnectionMode,
  type EdgeChange,
  type NodeChange,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  useStore,
  useStoreApi,
  type Viewport,
} from '@xyflow/react'
import { lazy, type MouseEvent, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { appearance } from '../../api/appearance.ts'
import { notify } from '../../state/notify.ts'
import { nodeAt } from '../geometry/boxes.ts'
import { useSelectionByFocus } from '../interactions/focus.ts'
import { useTouched } from '../interactions/use-touched.ts'
import { connect } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import { useSameArray, useStableHandlers } from '../store/hooks.ts'
import { type Canvas, select } from '../store/store.ts'
import { BackEdgeLines } from './BackEdgeLines.tsx'
import { followEdgeChanges, followNodeChanges } from './changes.ts'
import { Dots } from './Dots.tsx'
import { FAR_ZOOM, FarView, FEW_NODES, SimpleFaces } from './FarView.tsx'
import { FlowEdge } from './FlowEdge.tsx'
import { MiniMap } from './MiniMap.tsx'
import { type ViewEdge, type ViewNode, viewEdges, viewNodes } from './to-xyflow.ts'
import { useGestures } from './use-gestures.ts'
import { MAX_ZOOM, MIN_ZOOM, showNode, viewOf } from './viewport.ts'

const PointerTools = lazy(() => import('../pointer-tools/PointerTools.tsx'))

const edgeTypes = { flow: FlowEdge }
const NO_NODES: ViewNode[] = []
const NO_EDGES: ViewEdge[] = []
const GRID: [number, number] = [10, 10]
const SEVERAL = ['Meta', 'Control']
const FILL = { width: '100%', height: '100%' }
const PRO = { hideAttribution: true }
/** One element, so that a render of the surface does not render it. */
const POINTER_TOOLS = (
  <Suspense>
    <PointerTools />
  </Suspense>
)
/** Pixels that the pointer may move in a click. */
const CLICK = 4

interface CanvasSurfaceProps {
  snap?: boolean
  miniMap: boolean
  /** Nodes can be looked at and chosen, not changed. */
  readOnly?: boolean
  /** A node was clicked, not dragged. */
  onOpen?: (nodeId: string) => void
}

/**
 * The drawing surface. Stands inside a ReactFlowProvider and a CanvasProvider, and fills its parent. A flow that brings
 * no view of its own is shown whole from its first frame on.
 */
export function Flow(props: CanvasSurfaceProps) {
  const canvas = useCanvas()
  const room = useRef<HTMLDivElement>(null)
  const [placed, setPlaced] = useState(canvas.view !== null)
  useLayoutEffect(() => {
    if (!room.current) return
    const { clientWidth: width, clientHeight: height } = room.current
    canvas.view = viewOf(canvas.state.flow, { width, height })
    setPlaced(true)
  }, [canvas])
  return placed ? <PlacedFlow {...props} /> : <div ref={room} style={FILL} />
}

function PlacedFlow({ snap = false, miniMap, readOnly = false, onOpen }: CanvasSurfaceProps) {
  const canvas = useCanvas()
  const { nodeComponents } = canvas.kind
  const { isDarkMode } = useSnapshot(appearance)
  const mode = isDarkMode ? 'dark' : 'light'
  const { nodes, edges, far, large } = useDrawnFlow(canvas)
  const handlers = useHandlers(canvas, { snap, readOnly, far, onOpen })
  const selectByFocus = useSelectionByFocus(canvas)
  const touched = useTouched()

  return (
    <ReactFlow
      className="heddle-flow"
      colorMode={mode}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeComponents}
      edgeTypes={edgeTypes}
      {...handlers}
      // A hand that trembles still clicks.
      nodeClickDistance={CLICK}
      nodeDragThreshold={CLICK}
      onFocus={selectByFocus}
      isValidConnection={isBetweenTwo}
      {...(canvas.view ? { defaultViewport: canvas.view } : {})}
      nodesDraggable={!readOnly}
      nodesConnectable={!readOnly}
      connectOnClick={false}
      connectionMode={ConnectionMode.Strict}
      connectionRadius={24}
      selectionMode={SelectionMode.Partial}
      snapToGrid={snap}
      snapGrid={GRID}
      minZoom={MIN_ZOOM}
      maxZoom={MAX_ZOOM}
      deleteKeyCode={null}
      multiSelectionKeyCode={SEVERAL}
      zoomOnDoubleClick={false}
      onlyRenderVisibleElements={large}
      elevateNodesOnSelect={false}
      proOptions={PRO}
      // Shift would extend a text selection made before, and copying would take that text.
      onPointerDownCapture={clearTextSelection}
      aria-label="Flow"
    >
      {/* Composing them costs a third of a frame that a large flow needs. */}
      {!large && <Dots />}
      {!far && <BackEdgeLines />}
      {far ? <FarView mode={mode} /> : <SimpleFaces />}
      {touched && !readOnly && POINTER_TOOLS}
      {miniMap && <MiniMap mode={mode} />}
    </ReactFlow>
  )
}

/** Returns what xyflow draws: nothing of a large flow that is far away. */
function useDrawnFlow(canvas: Canvas) {
  const { flow, selection } = useSnapshot(canvas.state, { sync: true })
  const large = flow.nodes.length > FEW_NODES
  // Until xyflow has taken over the view, its zoom is 1: it would render every node of a large flow, for nothing.
  const far =
    useStore(({ panZoom, transform }) => (panZoom ? transform[2] : (canvas.view?.zoom ?? 1)) < FAR_ZOOM) && large
  const nodes = useMemo(
    () => (far ? NO_NODES : viewNodes(flow, selection, canvas.kind)),
    [far, flow, selection, canvas],
  )
  const edges = useSameArray(
    useMemo(() => (far ? NO_EDGES : viewEdges(flow, selection, canvas.kind)), [far, flow, selection, canvas]),
  )
  return { nodes, edges, far, large }
}

interface HandlerOptions extends Pick<CanvasSurfaceProps, 'onOpen'> {
  snap: boolean
  readOnly: boolean
  far: boolean
}

function useHandlers(canvas: Canvas, { snap, readOnly, far, onOpen }: HandlerOptions) {
  const instance = useReactFlow<ViewNode, ViewEdge>()
  const store = useStoreApi()
  const gestures = useGestures(canvas, { snap, readOnly })
  /** Set on the element itself: rendering at the first move would cost the frame. */
  const surface = (moving: boolean) => store.getState().domNode?.classList.toggle('heddle-moving', moving)

  /** Far away the nodes are a picture: find the one under the pointer. */
  const clickPane = (event: MouseEvent) => {
    if (!far) return select(canvas, {})
    const { flow } = canvas.state
    const at = instance.screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: false })
    const hit = nodeAt(flow.nodes, at)
    select(canvas, { nodes: hit ? [hit.id] : [] })
    if (hit) onOpen?.(hit.id)
    if (hit && event.detail > 1) showNode(instance as never, flow, hit.id)
  }

  return useStableHandlers({
    ...gestures,
    onNodesChange: (changes: NodeChange<ViewNode>[]) => followNodeChanges(canvas, changes),
    onEdgesChange: (changes: EdgeChange<ViewEdge>[]) => followEdgeChanges(canvas, changes),
    onNodeClick: (event: MouseEvent, { id }: ViewNode) => opens(event) && onOpen?.(id),
    onConnect: (connection: Connection) => {
      const verdict = connect(canvas, connection)
      if (!verdict.ok) notify.info(verdict.reason)
    },
    onMoveStart: () => surface(true),
    onMoveEnd: (_: unknown, view: Viewport) => {
      canvas.view = view
      surface(false)
    },
    onPaneClick: clickPane,
  })
}

const isBetweenTwo = ({ source, target }: Connection | ViewEdge) => source !== target

const clearTextSelection = () => window.getSelection()?.removeAllRanges()

/** A click with one of these keys selects several nodes, and one on a handle is about its connections. */
const opens = ({ shiftKey, metaKey, ctrlKey, target }: MouseEvent) =>
  !(shiftKey || metaKey || ctrlKey || (target as Element).closest('.react-flow__handle'))
