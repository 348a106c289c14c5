import { Button, Flex, Stack, Text } from '@chakra-ui/react'
import { IconArrowLeft, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { DeadDelivery } from '#contract/triggers/index.ts'
import { notify } from '../../state/notify.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { SelectCheckbox } from '../../ui/lists/SelectCheckbox.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { useCanChange } from './access.ts'
import { FailedRow } from './FailedRow.tsx'
import { DeliveryList, PagedDeliveries } from './PagedDeliveries.tsx'
import { deadQuery, replayDeliveries } from './queries.ts'

/** Deliveries of all triggers that failed for good, with bulk replay. Polls every few seconds. */
export function FailedPage() {
  const query = useInfiniteQuery(deadQuery)
  return (
    <Stack gap="5">
      <Button asChild variant="ghost" size="sm" alignSelf="start" ms="-3" color="fg.muted">
        <Link to="/triggers">
          <IconArrowLeft size={16} aria-hidden /> All triggers
        </Link>
      </Button>
      <PageTitle
        title="Failed deliveries"
        purpose="Deliveries that failed after the last retry. Fix the flow, then replay them with their original payload."
      />
      <PagedDeliveries
        noun="failed deliveries"
        query={query}
        empty={
          <EmptyState
            title="No failed deliveries"
            text="Deliveries that still fail after the last retry appear here, with the reason."
          />
        }
      >
        {(deliveries) => <FailedList deliveries={deliveries} />}
      </PagedDeliveries>
    </Stack>
  )
}

/** The failed deliveries, with selection and bulk replay. */
function FailedList({ deliveries }: { deliveries: DeadDelivery[] }) {
  const canChange = useCanChange()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const replayable = deliveries.filter(canChange).map(({ id }) => id)
  const selectedIds = replayable.filter((id) => selected.has(id))
  const toggle = (ids: string[], on: boolean) => {
    const next = new Set(selected)
    for (const id of ids) on ? next.add(id) : next.delete(id)
    setSelected(next)
  }
  const replay = useMutation({
    mutationFn: replayDeliveries,
    onSuccess: (problems, ids) => {
      setSelected(new Set())
      notifyReplayed(ids.length, problems)
    },
  })
  return (
    <Stack gap="2">
      {replayable.length > 0 && (
        <Flex minH="9" ps="4" align="center" gap="3" wrap="wrap">
          <SelectCheckbox
            label="Select all"
            checked={selectedIds.length === replayable.length ? true : selectedIds.length > 0 && 'indeterminate'}
            onChange={(on) => toggle(replayable, on)}
          />
          <Text color="fg.muted" textStyle="sm" aria-live="polite">
            {selectedIds.length === 0 ? 'Select deliveries to replay.' : `${selectedIds.length} selected`}
          </Text>
          {selectedIds.length > 0 && (
            <Button
              size="sm"
              colorPalette="accent"
              loading={replay.isPending}
              onClick={() => replay.mutate(selectedIds)}
            >
              <IconRefresh aria-hidden />
              Replay
            </Button>
          )}
        </Flex>
      )}
      <DeliveryList label="Failed deliveries">
        {deliveries.map((delivery) => (
          <FailedRow
            key={delivery.id}
            delivery={delivery}
            {...(canChange(delivery) && {
              selection: { checked: selected.has(delivery.id), onChange: (on: boolean) => toggle([delivery.id], on) },
            })}
          />
        ))}
      </DeliveryList>
    </Stack>
  )
}

function notifyReplayed(total: number, problems: string[]): void {
  const replayed = total - problems.length
  if (replayed > 0) notify.success(replayed === 1 ? '1 delivery replayed' : `${replayed} deliveries replayed`)
  if (problems.length === 0) return
  const count = problems.length === 1 ? '1 delivery' : `${problems.length} deliveries`
  notify.error(`Couldn’t replay ${count}: ${[...new Set(problems)].join(' ')}`)
}
