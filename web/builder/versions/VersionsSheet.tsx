import { Heading, Stack } from '@chakra-ui/react'
import { IconArrowsDiff, IconEye, IconNote, IconRestore, IconUpload, IconWorldOff } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowVersionHead } from '#contract/chatflows.ts'
import { BottomSheet } from '../../canvas/panels/BottomSheet.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { askAndPublish, askAndRestore, askAndUnpublish, type Publishing } from '../publishing.ts'
import { useCanEdit } from '../use-can-edit.ts'
import { NoteDialog } from './NoteDialog.tsx'
import { noteVersion } from './queries.ts'
import { useVersions } from './use-versions.ts'
import { VersionList } from './VersionList.tsx'

const VersionDialog = lazy(() => import('./VersionDialog.tsx'))

/** Every saved version of the flow, newest first. */
export default function VersionsSheet({ publishing, onClose }: { publishing: Publishing; onClose: () => void }) {
  const flowId = publishing.draft.state.id as string
  const { publishedVersion } = useSnapshot(publishing.draft.state)
  const versions = useVersions(flowId)
  const { heads } = versions
  const [shown, setShown] = useState<{ version: number; against: number | null }>()
  const [noting, setNoting] = useState<FlowVersionHead>()
  const mayChange = useCanEdit(publishing.draft.canvas.kind)
  const draftVersion = heads?.find((head) => head.isDraft)?.version
  const view = (head: FlowVersionHead) => setShown({ version: head.version, against: null })
  const compare = (head: FlowVersionHead) =>
    setShown(
      head.isDraft
        ? { version: head.version, against: heads?.[1]?.version ?? null }
        : { version: draftVersion ?? head.version, against: head.version },
    )
  const actionsOf = (head: FlowVersionHead): MenuAction[] => [
    { label: 'View', icon: IconEye, onSelect: () => view(head) },
    ...(heads && heads.length > 1
      ? [
          {
            label: head.isDraft ? 'Compare with previous' : 'Compare with draft',
            icon: IconArrowsDiff,
            onSelect: () => compare(head),
          },
        ]
      : []),
    ...(mayChange ? changes(head) : []),
  ]
  const changes = (head: FlowVersionHead): MenuAction[] => [
    { label: head.note ? 'Edit note' : 'Add note', icon: IconNote, onSelect: () => setNoting(head) },
    head.isPublished
      ? { label: 'Unpublish', icon: IconWorldOff, onSelect: () => void askAndUnpublish(publishing) }
      : { label: 'Publish', icon: IconUpload, onSelect: () => void askAndPublish(publishing, head.version) },
    ...(head.isDraft
      ? []
      : [{ label: 'Restore', icon: IconRestore, onSelect: () => void askAndRestore(publishing, head.version) }]),
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
