import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import type { FlowNode } from '#contract/flow/document/document.ts'
import type { Canvas } from '../store/store.ts'
import { isInView, viewAfterResize } from './keep-in-view.ts'
import { freePlace, placeOfCopies, showNode, viewOf, viewWith } from './viewport.ts'

/** Commands that move the view. */
export function useView(canvas: Canvas) {
  const instance = useReactFlow()
  const store = useStoreApi()
  const pane = () => ({ width: store.getState().width, height: store.getState().height })
  return {
    fit: () => {
      const view = viewOf(canvas.state.flow, pane())
      if (view) void instance.setViewport(view, { duration: 200 })
    },
    zoom: (by: 1 | -1) => void (by > 0 ? instance.zoomIn({ duration: 100 }) : instance.zoomOut({ duration: 100 })),
    show: (id: string) => showNode(instance as never, canvas.state.flow, id),
    placeFor: (nodes: readonly FlowNode[]) => {
      const { width, height } = pane()
      const { x, y, zoom } = instance.getViewport()
      const visible = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
      return placeOfCopies(canvas.state.flow, nodes, visible)
    },
    showAll: (ids: readonly string[]) => {
      const { flow } = canvas.state
      if (isInView(flow, ids, { view: instance.getViewport(), pane: pane() })) return
      const view = viewOf(flow, pane(), ids)
      if (view) void instance.setViewport(view, { duration: 200 })
    },
    /** Returns the centre of the view in flow coordinates, or a free place to the right of it. */
    center: () => {
      const { width, height, transform } = store.getState()
      const [x, y, zoom] = transform
      return freePlace(canvas.state.flow, { x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom })
    },
  }
}

export type View = ReturnType<typeof useView>

/** Keeps the selected node in view, and whatever was visible when the pane gets smaller. */
export function useKeptInView(canvas: Canvas, selected: string | undefined): void {
  const { getViewport, setViewport } = useReactFlow()
  const store = useStoreApi()
  const focus = useRef(selected)
  focus.current = selected

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another node is selected
  useEffect(() => {
    // A dragged node is where the pointer is.
    if (selected === undefined || canvas.dragged !== null) return
    const { width, height } = store.getState()
    const view = viewWith(canvas.state.flow, selected, { view: getViewport(), pane: { width, height } })
    if (view) void setViewport(view, { duration: 150 })
  }, [selected])

  useEffect(() => {
    let before = { width: store.getState().width, height: store.getState().height }
    return store.subscribe(({ width, height }) => {
      if (width === before.width && height === before.height) return
      const was = before
      before = { width, height }
      if (was.width === 0 || width === 0) return
      const sizes = { view: getViewport(), before: was, after: before, focus: focus.current }
      const view = viewAfterResize(canvas.state.flow, sizes)
      if (view) void setViewport(view)
    })
  }, [canvas, store, getViewport, setViewport])
}
