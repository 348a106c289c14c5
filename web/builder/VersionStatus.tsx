import { Button, Text } from '@chakra-ui/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSnapshot } from 'valtio'
import type { Draft } from './draft.ts'
import { versionPages } from './versions/queries.ts'

/** Draft and published version; opens the list of versions. */
export function VersionStatus({ draft, flowId, onOpen }: { draft: Draft; flowId: string; onOpen: () => void }) {
  const { publishedVersion, hasUnpublishedChanges } = useSnapshot(draft.state)
  const { data } = useInfiniteQuery(versionPages(flowId))
  const newest = data?.pages[0]?.data.find((head) => head.isDraft)?.version
  const text = statusText({ newest, published: publishedVersion, isCurrent: !hasUnpublishedChanges })
  return (
    <Button size="xs" variant="ghost" px="2" minW="0" flexShrink="1" hideBelow="lg" title={text} onClick={onOpen}>
      <Text as="span" fontWeight="normal" color="fg.muted" truncate>
        {text}
      </Text>
    </Button>
  )
}

interface Status {
  newest: number | undefined
  published: number | null
  /** True when the draft is the published version. */
  isCurrent: boolean
}

function statusText({ newest, published, isCurrent }: Status): string {
  const draft = newest === undefined ? 'Draft' : `Draft v${newest}`
  if (published === null) return `${draft} · Not published (callers always get the latest save)`
  return isCurrent ? `v${published} · Published` : `${draft} · Published v${published}`
}
