import { Badge, Box, Button, CloseButton, Dialog, Flex, Portal, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconRestore, IconUpload, IconWorldOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSnapshot } from 'valtio'
import type { FlowVersionHead } from '#contract/chatflows.ts'
import { askAndPublish, askAndUnpublish, type Publishable } from '../../../builder/publishing.ts'
import { versionPages } from '../../../builder/versions/queries.ts'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { RowMenu } from '../../../ui/lists/RowMenu.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'

interface Props {
  publishing: Publishable
  mayEdit: boolean
  onRestore(version: number): void
  onClose(): void
}

/** Every saved version of an assistant, newest first; callers get the one that is published. */
export default function AssistantVersions({ publishing, mayEdit, onRestore, onClose }: Props) {
  const { publishedVersion } = useSnapshot(publishing.draft.state)
  const query = useInfiniteQuery(versionPages(publishing.draft.state.id as string))
  const heads = query.data?.pages.flatMap((page) => page.data)
  return (
    <Dialog.Root
      open
      size="sm"
      placement="center"
      scrollBehavior="inside"
      onOpenChange={({ open }) => !open && onClose()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner p="4">
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Versions</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
              <Stack gap="3">
                <Text textStyle="sm" color="fg.muted">
                  {publishedVersion === null
                    ? 'Not published. Callers always get the latest save.'
                    : `Callers get version ${publishedVersion}. The chat here runs the latest save.`}
                </Text>
                {query.error && !heads && (
                  <ErrorState title="Couldn't load versions" text={query.error.message} onRetry={query.refetch} />
                )}
                {query.isLoading && <Skeleton height="16" aria-hidden />}
                <Stack as="ol" listStyleType="none" gap="2" aria-label="Versions, newest first">
                  {heads?.map((head) => (
                    <li key={head.version}>
                      <VersionRow head={head} {...{ publishing, mayEdit, onRestore }} />
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
            </Dialog.Body>
            <Dialog.CloseTrigger asChild>
              <CloseButton size="sm" />
            </Dialog.CloseTrigger>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

function VersionRow({ head, publishing, mayEdit, onRestore }: { head: FlowVersionHead } & Omit<Props, 'onClose'>) {
  const { version, author, note, createdDate, isDraft, isPublished } = head
  const action = isPublished
    ? { label: 'Unpublish', icon: IconWorldOff, onSelect: () => void askAndUnpublish(publishing) }
    : { label: 'Publish', icon: IconUpload, onSelect: () => void askAndPublish(publishing, version) }
  const restore = { label: 'Restore', icon: IconRestore, onSelect: () => onRestore(version) }
  return (
    <Flex borderWidth="1px" rounded="xl" ps="3" pe="1" py="2" gap="2" align="start">
      <Box flex="1" minW="0">
        <Flex align="center" gap="2" wrap="wrap">
          <Text textStyle="sm" fontWeight="semibold">
            Version {version}
          </Text>
          {isPublished && <Badge colorPalette="success">Published</Badge>}
          {isDraft && <Badge colorPalette="accent">Latest</Badge>}
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
      {mayEdit && <RowMenu of={`version ${version}`} actions={isDraft ? [action] : [action, restore]} />}
    </Flex>
  )
}
