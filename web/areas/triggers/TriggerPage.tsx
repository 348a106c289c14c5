import { Button, Skeleton, Stack } from '@chakra-ui/react'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Trigger } from '#contract/triggers/index.ts'
import { ApiError } from '../../api/client.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Deliveries } from './Deliveries.tsx'
import { triggerQuery } from './queries.ts'
import type { TriggerSearch } from './search.ts'
import { TriggerFacts } from './TriggerFacts.tsx'
import { TriggerHeader } from './TriggerHeader.tsx'

const TriggerDialog = lazy(() => import('./form/TriggerDialog.tsx'))

interface TriggerPageProps {
  id: string
  /** Filters and the expanded delivery, kept in the URL so that links share the view. */
  search: TriggerSearch
  onSearch: (search: TriggerSearch) => void
}

/** The page of one trigger: status, schedule or endpoint, and deliveries. */
export function TriggerPage({ id, search, onSearch }: TriggerPageProps) {
  const { data: trigger, error, refetch } = useQuery(triggerQuery(id))
  const [editing, setEditing] = useState<Trigger>()
  return (
    <Stack gap="5">
      <Button asChild variant="ghost" size="sm" alignSelf="start" ms="-3" color="fg.muted">
        <Link to="/triggers">
          <IconArrowLeft size={16} aria-hidden /> All triggers
        </Link>
      </Button>
      {!trigger && error && <TriggerError error={error} onRetry={() => void refetch()} />}
      {!trigger && !error && (
        <Stack gap="4" role="status" aria-label="Loading trigger">
          <Skeleton h="8" w="50%" />
          <Skeleton h="40" borderRadius="l3" />
          <Skeleton h="64" borderRadius="l3" />
        </Stack>
      )}
      {trigger && (
        <>
          <TriggerHeader trigger={trigger} onEdit={setEditing} onRun={(delivery) => onSearch({ delivery })} />
          <TriggerFacts trigger={trigger} />
          <Deliveries trigger={trigger} search={search} onSearch={onSearch} />
        </>
      )}
      <Suspense>{editing && <TriggerDialog trigger={editing} onClose={() => setEditing(undefined)} />}</Suspense>
    </Stack>
  )
}

function TriggerError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return error instanceof ApiError && [400, 404].includes(error.status) ? (
    <ErrorState isPage title="Trigger not found" text="It was deleted, or it belongs to another workspace." />
  ) : (
    <ErrorState isPage title="Couldn’t load the trigger" text={error.message} onRetry={onRetry} />
  )
}
