import { Button, Skeleton, Stack } from '@chakra-ui/react'
import { IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { MAX_COUNTED } from '#contract/schemas/counted.ts'
import { retentionQuery } from '../../api/retention.ts'
import { useCan } from '../../api/use-can.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Pager } from '../../ui/lists/Pager.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { ExecutionTable } from './ExecutionTable.tsx'
import { Filters } from './Filters.tsx'
import { executionsQuery, PAGE_SIZE } from './queries.ts'
import { RetentionDialog } from './RetentionDialog.tsx'
import type { ExecutionFilters } from './search.ts'

interface ExecutionsPageProps {
  filters: ExecutionFilters
  page: number
  onChange: (filters: ExecutionFilters, page: number) => void
}

/** The list of executions, newest first. Filters and page are in the URL. */
export function ExecutionsPage({ filters, page, onChange }: ExecutionsPageProps) {
  const query = useQuery(executionsQuery(filters, page))
  const can = useCan()
  const { data: retention } = useQuery({ ...retentionQuery, enabled: can('workspace:view') })
  const [asksRetention, setAsksRetention] = useState(false)
  const filtered = Object.values(filters).some(Boolean)
  return (
    <Stack gap="5">
      <PageTitle
        title="Executions"
        purpose={purposeOf(retention?.keepDays ?? null)}
        actions={
          retention &&
          can('workspace:update') && (
            <Button variant="outline" onClick={() => setAsksRetention(true)}>
              <IconClock aria-hidden />
              Retention
            </Button>
          )
        }
      />
      {asksRetention && retention && <RetentionDialog retention={retention} onClose={() => setAsksRetention(false)} />}
      <Filters filters={filters} onChange={(changed) => onChange(changed, 1)} />
      {query.error && !query.data && (
        <ErrorState title="Couldn’t load executions" text={query.error.message} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <Skeleton h="64" aria-label="Loading executions" />}
      {query.data?.total === 0 && (
        <EmptyState
          title={filtered ? 'No executions match these filters' : 'No executions yet'}
          text={
            filtered
              ? 'Change or clear the filters to see more.'
              : 'Open a flow and send it a message. Every run appears here.'
          }
          action={
            filtered ? (
              <Button colorPalette="accent" onClick={() => onChange({}, 1)}>
                Clear filters
              </Button>
            ) : (
              <Button asChild colorPalette="accent">
                <Link to="/agentflows">Open agent flows</Link>
              </Button>
            )
          }
        />
      )}
      {query.data && query.data.total > 0 && <ExecutionTable executions={query.data.data} />}
      {query.data && query.data.total > PAGE_SIZE && (
        <Pager
          page={page}
          last={Math.ceil(query.data.total / PAGE_SIZE)}
          isOpenEnded={query.data.total >= MAX_COUNTED}
          words={['Newer', 'Older']}
          onPage={(next) => onChange(filters, next)}
        />
      )}
    </Stack>
  )
}

function purposeOf(keepDays: number | null): string {
  const purpose = 'Inspect every run of your flows, step by step.'
  return keepDays === null ? purpose : `${purpose} Runs are deleted after ${keepDays} days.`
}
