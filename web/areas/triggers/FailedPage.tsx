import { Box, Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { IconArrowLeft, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { DeadDelivery } from '#contract/triggers/index.ts'
import { notify } from '../../state/notify.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Pick } from '../../ui/Pick.tsx'
import { useCanChange } from './access.ts'
import { FailedRow } from './FailedRow.tsx'
import { deadQuery, replayDeliveries } from './queries.ts'

/** What all triggers gave up: why, and the way to run it again. It looks again every few seconds. */
export function FailedPage() {
  const query = useInfiniteQuery(deadQuery)
  const deliveries = query.data?.pages.flatMap((page) => page.data)
  return (
    <Stack gap="5">
      <Button asChild variant="ghost" size="sm" alignSelf="start" ms="-3" color="fg.muted">
        <Link to="/triggers">
          <IconArrowLeft size={16} aria-hidden /> All triggers
        </Link>
      </Button>
      <PageTitle
        title="Failed deliveries"
        purpose="Every try of these failed. Mend the flow, then replay them: each begins anew, with what it came with."
      />
      {query.error && !deliveries && (
        <ErrorState
          title="Failed deliveries could not be loaded"
          text={query.error.message}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && <Skeleton h="64" borderRadius="l3" role="status" aria-label="Loading failed deliveries" />}
      {deliveries?.length === 0 && (
        <EmptyState
          title="No delivery has failed"
          text="What a trigger gives up after its last try appears here, with the reason."
        />
      )}
      {deliveries && deliveries.length > 0 && <FailedList deliveries={deliveries} />}
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

/** The rows, and what is done with those that were picked. */
function FailedList({ deliveries }: { deliveries: DeadDelivery[] }) {
  const mayChange = useCanChange()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const replayable = deliveries.filter(mayChange).map(({ id }) => id)
  const here = replayable.filter((id) => picked.has(id))
  const toggle = (ids: string[], on: boolean) => {
    const next = new Set(picked)
    for (const id of ids) on ? next.add(id) : next.delete(id)
    setPicked(next)
  }
  const replay = useMutation({
    mutationFn: replayDeliveries,
    onSuccess: (problems, ids) => {
      setPicked(new Set())
      tell(ids.length, problems)
    },
  })
  return (
    <Stack gap="2">
      {replayable.length > 0 && (
        <Flex minH="9" ps="4" align="center" gap="3" wrap="wrap">
          <Pick
            label="Select all that are shown"
            checked={here.length === replayable.length ? true : here.length > 0 && 'indeterminate'}
            onChange={(on) => toggle(replayable, on)}
          />
          <Text color="fg.muted" textStyle="sm" aria-live="polite">
            {here.length === 0 ? 'Select what to replay.' : `${here.length} selected`}
          </Text>
          {here.length > 0 && (
            <Button size="sm" colorPalette="accent" loading={replay.isPending} onClick={() => replay.mutate(here)}>
              <IconRefresh aria-hidden />
              Replay
            </Button>
          )}
        </Flex>
      )}
      <Box
        as="ol"
        aria-label="Failed deliveries"
        listStyleType="none"
        borderWidth="1px"
        borderRadius="l3"
        bg="bg.panel"
        overflow="hidden"
      >
        {deliveries.map((delivery) => (
          <FailedRow
            key={delivery.id}
            delivery={delivery}
            {...(mayChange(delivery) && {
              pick: { checked: picked.has(delivery.id), onChange: (on: boolean) => toggle([delivery.id], on) },
            })}
          />
        ))}
      </Box>
    </Stack>
  )
}

function tell(asked: number, problems: string[]): void {
  const begun = asked - problems.length
  if (begun > 0) notify.success(begun === 1 ? '1 delivery begins anew' : `${begun} deliveries begin anew`)
  if (problems.length === 0) return
  const count = problems.length === 1 ? '1 delivery was' : `${problems.length} deliveries were`
  notify.error(`${count} not replayed: ${[...new Set(problems)].join(' ')}`)
}
