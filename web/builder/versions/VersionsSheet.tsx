import { Heading, Stack } from '@chakra-ui/react'
import { IconArrowsDiff, IconEye, IconNote, IconRestore, IconUpload, IconWorldOff } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowVersionHead } from '#contract/chatflows/chatflows.ts'
import { BottomSheet } from '../../canvas/panels/BottomSheet.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { askAndPublish, askAndRestore, askAndUnpublish, type Publishing } from '../publishing.ts'
import { useCanEdit } from '../use-can-edit.ts'
import { NoteDialog } from './NoteDialog.tsx'
import { noteVersion } from './queries.ts'
import { useVersions } from './use-versions.ts'
import { VersionList } from './VersionList.tsx'

const VersionDialog = lazy(() => import('./VersionDialog.tsx'))

/** The two versions that a dialog shows; the second is null for one that is only viewed. */
interface ShownVersion {
  version: number
  against: number | null
}

/** Every saved version of the flow, newest first. */
export default function VersionsSheet({ publishing, onClose }: { publishing: Publishing; onClose: () => void }) {
  const flowId = publishing.draft.state.id as string
  const { publishedVersion } = useSnapshot(publishing.draft.state)
  const versions = useVersions(flowId)
  const { heads } = versions
  const [shown, setShown] = useState<ShownVersion>()
  const [noting, setNoting] = useState<FlowVersionHead>()
  const mayChange = useCanEdit(publishing.draft.canvas.kind)
  const view = (head: FlowVersionHead) => setShown({ version: head.version, against: null })
  const actionsOf = (head: FlowVersionHead): MenuAction[] => [
    { label: 'View', icon: IconEye, onSelect: () => view(head) },
    ...comparison(head, heads ?? [], setShown),
    ...(mayChange ? changes(head, publishing, setNoting) : []),
  ]
  return (
    <BottomSheet open label="Versions" side onClose={onClose}>
      <Stack gap="3" px="4" pb="6">
        <Heading as="h2" size="md">
          Versions
        </Heading>
        <VersionList
          versions={versions}
          publishedVersion={publishedVersion}
          draft={{ name: 'draft', badge: 'Draft' }}
          actionsOf={actionsOf}
          onView={view}
        />
      </Stack>
      {shown && heads && (
        <Suspense>
          <VersionDialog
            key={`${shown.version}-${shown.against}`}
            publishing={publishing}
            heads={heads}
            initial={shown}
            onClose={() => setShown(undefined)}
          />
        </Suspense>
      )}
      {noting && (
        <NoteDialog
          title={`Note for version ${noting.version}`}
          submit="Save note"
          note={noting.note ?? ''}
          onClose={() => setNoting(undefined)}
          onSubmit={(note) => noteVersion(flowId, { version: noting.version, note: note || null })}
        />
      )}
    </BottomSheet>
  )
}

/** With the draft, or of the draft with the version before it. */
function comparison(
  head: FlowVersionHead,
  heads: readonly FlowVersionHead[],
  onShow: (shown: ShownVersion) => void,
): MenuAction[] {
  if (heads.length <= 1) return []
  const draft = heads.find(({ isDraft }) => isDraft)?.version ?? head.version
  const shown = head.isDraft
    ? { version: head.version, against: heads[1]?.version ?? null }
    : { version: draft, against: head.version }
  const label = head.isDraft ? 'Compare with previous' : 'Compare with draft'
  return [{ label, icon: IconArrowsDiff, onSelect: () => onShow(shown) }]
}

function changes(head: FlowVersionHead, publishing: Publishing, onNote: (head: FlowVersionHead) => void): MenuAction[] {
  return [
    { label: head.note ? 'Edit note' : 'Add note', icon: IconNote, onSelect: () => onNote(head) },
    head.isPublished
      ? { label: 'Unpublish', icon: IconWorldOff, onSelect: () => void askAndUnpublish(publishing) }
      : { label: 'Publish', icon: IconUpload, onSelect: () => void askAndPublish(publishing, head.version) },
    ...(head.isDraft
      ? []
      : [{ label: 'Restore', icon: IconRestore, onSelect: () => void askAndRestore(publishing, head.version) }]),
  ]
}
