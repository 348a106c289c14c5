import '@xyflow/react/dist/style.css'
import './canvas.css'
import { ConnectionMode, ReactFlow, SelectionMode, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { lazy, type MouseEvent, Suspense, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { appearance } from '../../api/appearance.ts'
import { notify } from '../../state/notify.ts'
import { followEdgeChanges, followNodeChanges } from '../store/changes.ts'
import { connect } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import { useSelectionByFocus } from '../store/focus.ts'
import { useSameArray, useTouched } from '../store/hooks.ts'
import { select } from '../store/store.ts'
import { Dots } from './Dots.tsx'
import { FAR_ZOOM, FarView, FEW_NODES, SimpleFaces } from './FarView.tsx'
import { FlowEdge } from './FlowEdge.tsx'
import { nodeAt } from './geometry.ts'
import { MiniMap } from './MiniMap.tsx'
import { type ViewEdge, type ViewNode, viewEdges, viewNodes } from './to-xyflow.ts'
import { useGestures } from './use-gestures.ts'
import { MAX_ZOOM, MIN_ZOOM, showNode, viewOf } from './viewport.ts'

const Hand = lazy(() => import('../hand/Hand.tsx'))

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
  const gestures = useGestures(canvas, { snap, readOnly })
  const selectByFocus = useSelectionByFocus(canvas)
  const touched = useTouched()

  /** Far away the nodes are a picture: find the one under the pointer. */
  const clickPane = (event: MouseEvent) => {
    if (!far) return select(canvas, {})
    const at = instance.screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: false })
    const hit = nodeAt(flow.nodes, at)
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
      {...gestures}
      onNodeClick={(event, { id }) => opens(event) && onOpen?.(id)}
      // A hand that trembles still clicks.
      nodeClickDistance={CLICK}
      nodeDragThreshold={CLICK}
      onFocus={selectByFocus}
      onConnect={(connection) => {
        const verdict = connect(canvas, connection)
        if (!verdict.ok) notify.info(verdict.reason)
      }}
      isValidConnection={(connection) => connection.source !== connection.target}
      onMoveStart={() => surface(true)}
      onMoveEnd={(_, view) => {
        canvas.view = view
        surface(false)
      }}
      onInit={() => void showFirst()}
      {...(canvas.view ? { defaultViewport: canvas.view } : {})}
      onPaneClick={clickPane}
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
      {far ? <FarView mode={mode} /> : <SimpleFaces />}
      {touched && !readOnly && (
        <Suspense>
          <Hand />
        </Suspense>
      )}
      {miniMap && <MiniMap mode={mode} />}
    </ReactFlow>
  )
}

/** A click with one of these keys selects several nodes, and one on a handle is about its connections. */
const opens = ({ shiftKey, metaKey, ctrlKey, target }: MouseEvent) =>
  !(shiftKey || metaKey || ctrlKey || (target as Element).closest('.react-flow__handle'))
