import { Button, Flex, Skeleton, Stack, Link as TextLink } from '@chakra-ui/react'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Lead } from '#contract/chats/leads.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { type Column, RowTable } from '../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { exportLeads } from './actions.ts'
import { leadsQuery } from './queries.ts'

const COLUMNS: Column<Lead>[] = [
  { header: 'Name', cell: ({ name }) => name ?? '–' },
  {
    header: 'Email',
    cell: ({ email }) =>
      email ? (
        <TextLink href={`mailto:${encodeURIComponent(email)}`} variant="underline">
          {email}
        </TextLink>
      ) : (
        '–'
      ),
  },
  { header: 'Phone', cell: ({ phone }) => phone ?? '–', minor: true },
  { header: 'Received', cell: ({ createdDate }) => <RelativeTime date={createdDate} />, minor: true },
]

/** Leads of a flow's chats, newest first. */
export function Leads({ flowId }: { flowId: string }) {
  const query = useInfiniteQuery(leadsQuery(flowId))
  const [isExporting, setExporting] = useState(false)
  const leads = query.data?.pages.flat()
  if (query.error && !leads) {
    return <ErrorState title="Couldn’t load leads" text={query.error.message} onRetry={() => query.refetch()} />
  }
  if (!leads) return <Skeleton h="64" role="status" aria-label="Loading leads" />
  if (leads.length === 0) {
    return (
      <EmptyState
        title="No leads yet"
        text="A chat can ask people for their name, email or phone before it begins. They appear here."
      />
    )
  }
  const download = async () => {
    setExporting(true)
    await exportLeads(flowId)
    setExporting(false)
  }
  return (
    <Stack gap="4">
      <Flex justify="end">
        <Button size="sm" variant="outline" loading={isExporting} onClick={() => void download()}>
          <IconDownload size={16} aria-hidden />
          Export as CSV
        </Button>
      </Flex>
      <RowTable rows={leads} columns={COLUMNS} label="Leads" />
      {query.hasNextPage && (
        <Button
          alignSelf="center"
          variant="outline"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </Stack>
  )
}
