import { Button, Flex, Stack, Text } from '@chakra-ui/react'
import { IconArrowLeft, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeadDelivery } from '#contract/triggers/index.ts'
import { notify } from '../../state/notify.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { SelectCheckbox } from '../../ui/lists/SelectCheckbox.tsx'
import { useSelection } from '../../ui/lists/use-selection.ts'
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
  const replayable = deliveries.filter(canChange).map(({ id }) => id)
  const { selected, has, toggle, all, clear } = useSelection(replayable)
  const replay = useMutation({
    mutationFn: replayDeliveries,
    onSuccess: (problems, ids) => {
      clear()
      notifyReplayed(ids.length, problems)
    },
  })
  return (
    <Stack gap="2">
      {replayable.length > 0 && (
        <Flex minH="9" ps="4" align="center" gap="3" wrap="wrap">
          <SelectCheckbox label="Select all" {...all} />
          <Text color="fg.muted" textStyle="sm" aria-live="polite">
            {selected.length === 0 ? 'Select deliveries to replay.' : `${selected.length} selected`}
          </Text>
          {selected.length > 0 && (
            <Button size="sm" colorPalette="accent" loading={replay.isPending} onClick={() => replay.mutate(selected)}>
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
              selection: { checked: has(delivery.id), onChange: (on: boolean) => toggle(delivery.id, on) },
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
