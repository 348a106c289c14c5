import { Badge, Box, Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import type { FlowVersionHead } from '#contract/chatflows/chatflows.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import type { Versions } from './use-versions.ts'

interface Props {
  versions: Versions
  publishedVersion: number | null
  /** What the newest version is called, in a sentence and in its row. */
  draft: { name: string; badge: string }
  actionsOf(head: FlowVersionHead): MenuAction[]
  /** Absent where a version has no view. */
  onView?: ((head: FlowVersionHead) => void) | undefined
}

/** Saved versions, newest first, and which of them callers get. */
export function VersionList({ versions, publishedVersion, draft, actionsOf, onView }: Props) {
  const { query, heads } = versions
  return (
    <Stack gap="3">
      <Text textStyle="sm" color="fg.muted">
        {publishedVersion === null
          ? 'Not published. Callers always get the latest save.'
          : `Callers get version ${publishedVersion}. The chat here runs the ${draft.name}.`}
      </Text>
      {query.error && !heads && (
        <ErrorState title="Couldn’t load versions" text={query.error.message} onRetry={query.refetch} />
      )}
      {query.isLoading && <VersionsSkeleton />}
      <Stack as="ol" listStyleType="none" gap="2" aria-label="Versions, newest first">
        {heads?.map((head) => (
          <li key={head.version}>
            <VersionRow head={head} badge={draft.badge} actions={actionsOf(head)} onView={onView} />
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
  )
}

interface VersionRowProps extends Pick<Props, 'onView'> {
  head: FlowVersionHead
  badge: string
  actions: MenuAction[]
}

function VersionRow({ head, badge, actions, onView }: VersionRowProps) {
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
          {onView ? (
            <Button size="xs" variant="plain" px="0" minW="0" fontWeight="semibold" onClick={() => onView(head)}>
              Version {version}
            </Button>
          ) : (
            <Text textStyle="sm" fontWeight="semibold">
              Version {version}
            </Text>
          )}
          {isPublished && <Badge colorPalette="success">Published</Badge>}
          {isDraft && <Badge colorPalette="accent">{badge}</Badge>}
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
      {actions.length > 0 && <RowMenu of={`version ${version}`} actions={actions} />}
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
