import { Heading, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { formatCount } from '#contract/data/format.ts'
import type { DocumentJob } from '#contract/document-stores/jobs.ts'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { formatCost } from '../../../ui/format.ts'
import { type Column, RowTable } from '../../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { jobsQuery } from '../api.ts'
import { StateBadge } from '../shared/StateBadge.tsx'
import { JOB_NAMES, JOB_WORDS } from '../shared/state-words.ts'

/** Jobs of a store, newest first. */
export function JobHistory({ storeId }: { storeId: string }) {
  const titleId = useId()
  const { data: jobs, error, refetch } = useQuery(jobsQuery(storeId))
  return (
    <Stack as="section" aria-labelledby={titleId} gap="3">
      <Heading as="h2" size="md" id={titleId}>
        History
      </Heading>
      {!jobs && error && (
        <ErrorState title="Couldn’t load the history" text={error.message} onRetry={() => void refetch()} />
      )}
      {!jobs && !error && <Skeleton h="20" borderRadius="l3" role="status" aria-label="Loading history" />}
      {jobs?.length === 0 && <Text color="fg.muted">Nothing has been read yet.</Text>}
      {jobs && jobs.length > 0 && <RowTable rows={jobs} columns={COLUMNS} label="History" />}
    </Stack>
  )
}

const COLUMNS: Column<DocumentJob>[] = [
  { header: 'When', cell: ({ createdDate }) => <RelativeTime date={createdDate} /> },
  { header: 'What', cell: ({ kind }) => JOB_NAMES[kind] },
  {
    header: 'Result',
    cell: ({ state, stateReason }) => (
      <Stack gap="1" align="start">
        <StateBadge words={JOB_WORDS[state]} />
        {stateReason && (
          <Text textStyle="xs" color="fg.muted" lineClamp="3" title={stateReason}>
            {stateReason}
          </Text>
        )}
      </Stack>
    ),
  },
  { header: 'Added', cell: ({ numAdded }) => formatCount(numAdded), minor: true },
  { header: 'Updated', cell: ({ numUpdated }) => formatCount(numUpdated), minor: true },
  { header: 'Deleted', cell: ({ numDeleted }) => formatCount(numDeleted), minor: true },
  { header: 'Skipped', cell: ({ numSkipped }) => formatCount(numSkipped), minor: true },
  { header: 'Tokens', cell: ({ tokens }) => formatCount(tokens), minor: true },
  { header: 'Cost', cell: costOf, minor: true },
]

function costOf({ tokens, cost }: DocumentJob): string {
  if (tokens === 0) return '–'
  return cost === null ? 'Unknown' : formatCost(cost)
}
