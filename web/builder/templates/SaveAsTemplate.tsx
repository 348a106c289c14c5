import { isDirty } from '../../canvas/store/store.ts'
import type { Draft } from '../draft.ts'
import TemplateDialog from './TemplateDialog.tsx'

/** Saves the flow on the canvas as a template. */
export default function SaveAsTemplate({ draft, onClose }: { draft: Draft; onClose(): void }) {
  const { id, name } = draft.state
  const { kind, state } = draft.canvas
  return (
    id && <TemplateDialog of={{ flow: { id, name, type: kind.type }, isDirty: isDirty(state) }} onClose={onClose} />
  )
}
