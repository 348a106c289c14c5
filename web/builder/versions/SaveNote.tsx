import type { FlowVersionList } from '#contract/chatflows/chatflows.ts'
import { api } from '../../api/client.ts'
import { isDirty } from '../../canvas/store/store.ts'
import { notify } from '../../state/notify.ts'
import type { Draft } from '../draft.ts'
import { NoteDialog } from './NoteDialog.tsx'
import { noteVersion } from './queries.ts'

interface Props {
  draft: Draft
  save: (note: string) => Promise<boolean>
  onClose: () => void
}

/** Saves the draft with a note. Without changes, the newest version gets the note. */
export default function SaveNote({ draft, save, onClose }: Props) {
  const submit = async (note: string) => {
    const { id } = draft.state
    const makesVersion = id === null || isDirty(draft.canvas.state)
    if (!(await save(note))) return
    if (!makesVersion) await noteNewest(id, note)
    notify.success('Saved')
  }
  return <NoteDialog title="Save with a note" submit="Save" note="" onSubmit={submit} onClose={onClose} />
}

async function noteNewest(flowId: string, note: string): Promise<void> {
  const { data } = await api.get<FlowVersionList>(`/chatflows/${flowId}/versions`, { limit: 1 })
  if (data[0]) await noteVersion(flowId, { version: data[0].version, note: note || null })
}
