import { Badge, Box, Button, Flex, Heading, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconArrowsDiff, IconEye, IconNote, IconRestore, IconUpload, IconWorldOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowVersionHead } from '#contract/chatflows.ts'
import { BottomSheet } from '../../canvas/panels/BottomSheet.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { askAndPublish, askAndRestore, askAndUnpublish, type Publishing } from '../publishing.ts'
import { useCanEdit } from '../use-can-edit.ts'
import { NoteDialog } from './NoteDialog.tsx'
import { noteVersion, versionPages } from './queries.ts'

const VersionDialog = lazy(() => import('./VersionDialog.tsx'))

/** Every saved version of the flow, newest first. */
export default function VersionsSheet({ publishing, onClose }: { publishing: Publishing; onClose: () => void }) {
  const flowId = publishing.draft.state.id as string
  const { publishedVersion } = useSnapshot(publishing.draft.state)
  const query = useInfiniteQuery(versionPages(flowId))
  const [shown, setShown] = useState<{ version: number; against: number | null }>()
  const [noting, setNoting] = useState<FlowVersionHead>()
  const heads = query.data?.pages.flatMap((page) => page.data)
  const mayChange = useCanEdit(publishing.draft.canvas.kind)
  const draftVersion = heads?.find((head) => head.isDraft)?.version
  const compare = (head: FlowVersionHead) =>
    setShown(
      head.isDraft
        ? { version: head.version, against: heads?.[1]?.version ?? null }
        : { version: draftVersion ?? head.version, against: head.version },
    )
  const actionsOf = (head: FlowVersionHead): MenuAction[] => [
    { label: 'View', icon: IconEye, onSelect: () => setShown({ version: head.version, against: null }) },
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
        <Text fontSize="sm" color="fg.muted">
          {publishedVersion === null
            ? 'Not published. Callers always get the latest save.'
            : `Callers get version ${publishedVersion}. The chat here runs the draft.`}
        </Text>
        {query.error && !heads && (
          <ErrorState title="Couldn't load versions" text={query.error.message} onRetry={query.refetch} />
        )}
        {query.isLoading && <VersionsSkeleton />}
        <Stack as="ol" listStyleType="none" gap="2" aria-label="Versions, newest first">
          {heads?.map((head) => (
            <li key={head.version}>
              <VersionRow
                head={head}
                actions={actionsOf(head)}
                onView={() => setShown({ version: head.version, against: null })}
              />
            </li>
          ))}
        </Stack>
        {query.hasNextPage && (
          <Button
            alignSelf="center"
            size="sm"
            variant="outline"
            loading={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
          >
            Load more
          </Button>
        )}
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

interface VersionRowProps {
  head: FlowVersionHead
  actions: MenuAction[]
  onView: () => void
}

function VersionRow({ head, actions, onView }: VersionRowProps) {
  const { version, author, note, createdDate, isDraft, isPublished } = head
  return (
    <Flex
      borderWidth="1px"
      rounded="xl"
      ps="3"
      pe="1"
      py="2"
      gap="2"
      align="start"
      borderColor={isPublished ? 'success.border' : undefined}
    >
      <Box flex="1" minW="0">
        <Flex align="center" gap="2" wrap="wrap">
          <Button size="xs" variant="plain" px="0" minW="0" fontWeight="semibold" onClick={onView}>
            Version {version}
          </Button>
          {isPublished && <Badge colorPalette="success">Published</Badge>}
          {isDraft && <Badge colorPalette="accent">Draft</Badge>}
        </Flex>
        {note && (
          <Text fontSize="sm" overflowWrap="anywhere">
            {note}
          </Text>
        )}
        <Text fontSize="xs" color="fg.muted">
          {author ?? 'Unknown author'} · <RelativeTime date={createdDate} />
        </Text>
      </Box>
      <RowMenu of={`version ${version}`} actions={actions} />
    </Flex>
  )
}

const VersionsSkeleton = () => (
  <Stack gap="2" role="status" aria-label="Loading versions">
    {['a', 'b', 'c'].map((place) => (
      <Skeleton key={place} h="16" borderRadius="xl" />
    ))}
  </Stack>
)
