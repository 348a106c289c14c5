import { useReactFlow, useStoreApi } from '@xyflow/react'
import type { Canvas } from '../store/store.ts'
import { freePlace, showNode, viewOf, viewWith } from './viewport.ts'

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
    /** Moves the view until the node is visible. */
    reveal: (id: string) => {
      const view = viewWith(canvas.state.flow, id, { view: instance.getViewport(), pane: pane() })
      if (view) void instance.setViewport(view, { duration: 150 })
    },
    show: (id: string) => showNode(instance as never, canvas.state.flow, id),
    /** Returns the centre of the view in flow coordinates, or a free place to the right of it. */
    centre: () => {
      const { width, height, transform } = store.getState()
      const [x, y, zoom] = transform
      return freePlace(canvas.state.flow, { x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom })
    },
  }
}
