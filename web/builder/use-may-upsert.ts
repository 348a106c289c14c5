import { useCanvasValue } from '../canvas/store/hooks.ts'
import type { Canvas } from '../canvas/store/store.ts'
import { useCanEdit } from './use-can-edit.ts'

/** Returns true when the flow has a vector store that takes documents, and the person may fill it. */
export function useMayUpsert(canvas: Canvas): boolean {
  const { upserts } = canvas.kind
  const mayEdit = useCanEdit(canvas.kind)
  const hasStore = useCanvasValue(canvas, ({ flow }) => upserts !== null && upserts.storesOf(flow).length > 0)
  return mayEdit && hasStore
}
