import { Button, Flex, Skeleton, Stack } from '@chakra-ui/react'
import { IconAlertTriangle, IconGauge, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { Trigger, TriggerLimits } from '#contract/triggers/index.ts'
import type { TriggerKind } from '#contract/triggers/settings.ts'
import { useCan } from '../../api/use-can.ts'
import { useIntent } from '../../state/intent.ts'
import { notify } from '../../state/notify.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Pager } from '../../ui/lists/Pager.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { useCanCreate } from './access.ts'
import { NoTriggers } from './NoTriggers.tsx'
import { loadLimits, PAGE_SIZE, triggersQuery } from './queries.ts'
import type { TriggerFilters } from './search.ts'
import { TriggerFilterBar } from './TriggerFilterBar.tsx'
import { TriggerTable } from './TriggerTable.tsx'

const TriggerDialog = lazy(() => import('./form/TriggerDialog.tsx'))
const LimitsDialog = lazy(() => import('./LimitsDialog.tsx'))
const NewSecretDialog = lazy(() => import('./form/NewSecretDialog.tsx'))

interface TriggersPageProps {
  filters: TriggerFilters
  page: number
  onChange: (filters: TriggerFilters, page: number) => void
}

type Open =
  | { edit: Trigger }
  | { create: TriggerKind }
  | { created: Trigger; secret: string }
  | { limits: TriggerLimits }
  | null

/** The trigger list with filters. Polls every few seconds. */
export function TriggersPage({ filters, page, onChange }: TriggersPageProps) {
  const { data, error, isPending, refetch } = useQuery(triggersQuery(filters, page))
  const [open, setOpen] = useState<Open>(null)
  const canCreate = useCanCreate()
  useIntent('schedule', () => setOpen({ create: 'schedule' }))
  useIntent('webhook', () => setOpen({ create: 'webhook' }))
  const canViewLimits = useCan()('workspace:view')
  const isFiltered = Object.values(filters).some(Boolean)
  const isEmpty = data?.total === 0 && !isFiltered
  const openLimits = async () => {
    try {
      setOpen({ limits: await loadLimits() })
    } catch (error) {
      notify.error(`Couldn’t load the limits: ${errorMessage(error)}`)
    }
  }
  return (
    <Stack gap="5">
      <PageTitle
        title="Triggers"
        purpose="Run flows on a schedule or by webhook."
        actions={
          <Flex gap="2" wrap="wrap">
            <Button asChild variant="outline">
              <Link to="/triggers/failed">
                <IconAlertTriangle aria-hidden />
                Failed deliveries
              </Link>
            </Button>
            {canViewLimits && (
              <Button variant="outline" onClick={() => void openLimits()}>
                <IconGauge aria-hidden />
                Limits
              </Button>
            )}
            {canCreate && !isEmpty && (
              <Button colorPalette="accent" onClick={() => setOpen({ create: 'schedule' })}>
                <IconPlus aria-hidden />
                New trigger
              </Button>
            )}
          </Flex>
        }
      />
      {!isEmpty && !(error && !data) && (
        <TriggerFilterBar filters={filters} onChange={(thenInvalidate) => onChange(thenInvalidate, 1)} />
      )}
      {error && !data && (
        <ErrorState title="Couldn’t load triggers" text={error.message} onRetry={() => void refetch()} />
      )}
      {isPending && <Skeleton h="64" borderRadius="l3" role="status" aria-label="Loading triggers" />}
      {isEmpty && <NoTriggers canCreate={canCreate} onCreate={(kind) => setOpen({ create: kind })} />}
      {data?.total === 0 && isFiltered && (
        <EmptyState
          title="No triggers match these filters"
          text="Change or clear the filters to see more."
          action={
            <Button colorPalette="accent" onClick={() => onChange({}, 1)}>
              Clear filters
            </Button>
          }
        />
      )}
      {data && data.total > 0 && <TriggerTable triggers={data.data} onEdit={(trigger) => setOpen({ edit: trigger })} />}
      {data && data.total > PAGE_SIZE && (
        <Pager
          page={page}
          last={Math.ceil(data.total / PAGE_SIZE)}
          words={['Previous', 'Next']}
          onPage={(next) => onChange(filters, next)}
        />
      )}
      {open && <OpenDialog open={open} onOpen={setOpen} />}
    </Stack>
  )
}

function OpenDialog({ open, onOpen }: { open: NonNullable<Open>; onOpen: (open: Open) => void }) {
  const navigate = useNavigate()
  const onClose = () => onOpen(null)
  const show = ({ id }: Trigger) => void navigate({ to: '/triggers/$id', params: { id } })
  return (
    <Suspense>
      {'limits' in open && <LimitsDialog limits={open.limits} onClose={onClose} />}
      {'edit' in open && <TriggerDialog trigger={open.edit} onClose={onClose} />}
      {'create' in open && (
        <TriggerDialog
          kind={open.create}
          onSaved={(created, secret) => (secret === undefined ? show(created) : onOpen({ created, secret }))}
          onClose={onClose}
        />
      )}
      {'created' in open && (
        <NewSecretDialog trigger={open.created} secret={open.secret} onClose={() => show(open.created)} />
      )}
    </Suspense>
  )
}
