import { Badge, Code, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { FAILURE_KINDS, type FailureRecord } from '#contract/organization/records.ts'
import { ChoiceFilter, DateFilter, TextFilter } from '../../ui/lists/filters.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import type { Filters } from './queries.ts'
import { RecordList } from './RecordList.tsx'

const KIND_NAMES = { '4xx': 'Refused (4xx)', '5xx': 'Failed (5xx)' } as const
const KINDS = FAILURE_KINDS.map((kind) => [kind, KIND_NAMES[kind]] as const)

/** Requests of the workspace that failed. */
export function LogsPage() {
  const [filters, setFilters] = useState<Filters>({})
  const set = (name: string) => (value?: string) => setFilters({ ...filters, [name]: value })
  return (
    <Stack gap="6">
      <PageTitle title="Logs" purpose="Requests of this workspace that failed in the last 14 days." />
      <RecordList<FailureRecord>
        path="/logs"
        noun="failures"
        filters={filters}
        columns={[
          { header: 'When', cell: ({ createdDate }) => <RelativeTime date={createdDate} /> },
          { header: 'Request', cell: (row) => <Request of={row} /> },
          { header: 'Answer', cell: (row) => <Answer of={row} /> },
          { header: 'By', cell: ({ actorName, more }) => (more > 0 ? '–' : (actorName ?? 'Nobody')), minor: true },
          { header: 'Request ID', cell: ({ id, more }) => (more > 0 ? '–' : <Code>{id}</Code>), minor: true },
        ]}
        empty={{ title: 'No failures', text: 'Calls that are refused or fail appear here, with their request ID.' }}
      >
        <TextFilter label="Request ID" value={filters.requestId} onCommit={set('requestId')} />
        <TextFilter label="Path" value={filters.path} onCommit={set('path')} />
        <ChoiceFilter label="Answer" value={filters.status} options={KINDS} onChange={set('status')} />
        <DateFilter label="Since" value={filters.from} onChange={set('from')} />
        <DateFilter label="Until" value={filters.to} onChange={set('to')} endOfDay />
      </RecordList>
    </Stack>
  )
}

function Request({ of: { method, path, more } }: { of: FailureRecord }) {
  if (more > 0) return <Text color="fg.muted">{more === 1 ? '1 more' : `${more} more`} in this minute</Text>
  return `${method} ${path}`
}

function Answer({ of: { status, message, more } }: { of: FailureRecord }) {
  if (more > 0) return '–'
  return (
    <Stack gap="1" align="start">
      <Badge colorPalette={status >= 500 ? 'danger' : undefined}>{status}</Badge>
      <Text textStyle="sm">{message}</Text>
    </Stack>
  )
}
