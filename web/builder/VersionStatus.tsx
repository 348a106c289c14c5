import { Button, Text } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSnapshot } from 'valtio'
import type { Draft } from './draft.ts'
import { versionPages } from './versions/queries.ts'

/** Which version is on the canvas and which one callers run; opens the list of all. */
export function VersionStatus({ draft, flowId, onOpen }: { draft: Draft; flowId: string; onOpen: () => void }) {
  const { publishedVersion, hasUnpublishedChanges } = useSnapshot(draft.state)
  const { data } = useInfiniteQuery(versionPages(flowId))
  const newest = data?.pages[0]?.data.find((head) => head.isDraft)?.version
  const here = newest === undefined ? 'Draft' : `Draft v${newest}`
  const there =
    publishedVersion === null
      ? 'Not published: callers run each save'
      : `Published v${publishedVersion}${hasUnpublishedChanges ? '' : ', the same'}`
  return (
    <Button size="xs" variant="ghost" px="2" hideBelow="lg" title="Versions" onClick={onOpen}>
      <Text as="span" fontWeight="normal" color="fg.muted" maxW="280px" truncate>
        {here} · {there}
      </Text>
    </Button>
  )
}
