import { Button, Flex, Skeleton, Stack, Text, Link as TextLink } from '@chakra-ui/react'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { DeliveryDetail, Trigger } from '#contract/triggers/index.ts'
import { useCan } from '../../api/use-can.ts'
import { StateBadge } from '../../chat/trace/states.tsx'
import { deliveryQuery, isOpen } from '../../inputs/trigger/queries.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { formatDuration } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useCanChange } from './access.ts'
import { RequestResponse } from './RequestResponse.tsx'

const ReplayDialog = lazy(() => import('./ReplayDialog.tsx'))

interface DeliveryDetailsProps {
  id: string
  trigger: Trigger
  /** Receives the id of the new delivery. */
  onReplayed: (id: string) => void
}

/** A delivery in full: outcome, times, run, request and response, with a replay button. */
export function DeliveryDetails({ id, trigger, onReplayed }: DeliveryDetailsProps) {
  const { data: delivery, error } = useQuery(deliveryQuery(id))
  const canChange = useCanChange()(trigger)
  const canViewRuns = useCan()('executions:view')
  const [replaying, setReplaying] = useState(false)
  if (error && !delivery) return <Notice kind="danger">Couldn’t load this delivery: {error.message}</Notice>
  if (!delivery) return <Skeleton h="24" role="status" aria-label="Loading delivery" />
  const { state, reason, executionId, executionState } = delivery
  return (
    <Stack gap="4">
      {reason && (
        <Notice kind={state === 'dead' ? 'danger' : state === 'succeeded' ? 'info' : 'warning'} overflowWrap="anywhere">
          {reason}
        </Notice>
      )}
      <Times delivery={delivery} />
      <Flex gap="3" align="center" wrap="wrap">
        {executionId && canViewRuns && (
          <TextLink asChild minH="6" textStyle="sm" textDecoration="underline">
            <Link to="/executions/$id" params={{ id: executionId }}>
              View run
            </Link>
          </TextLink>
        )}
        {executionState && <StateBadge state={executionState} />}
        {canChange && !isOpen(delivery) && state !== 'refused' && (
          <Button size="sm" variant="outline" onClick={() => setReplaying(true)}>
            <IconRefresh aria-hidden />
            Replay
          </Button>
        )}
      </Flex>
      <RequestResponse delivery={delivery} />
      <Suspense>
        {replaying && (
          <ReplayDialog
            delivery={delivery}
            trigger={trigger}
            onReplayed={onReplayed}
            onClose={() => setReplaying(false)}
          />
        )}
      </Suspense>
    </Stack>
  )
}

function Times({ delivery }: { delivery: DeliveryDetail }) {
  const { source, dueDate, startedDate, finishedDate, nextAttemptDate, attempts, replayOf, triggerId } = delivery
  return (
    <Flex as="dl" gap="6" wrap="wrap" textStyle="sm">
      <Fact name={source === 'schedule' ? 'Due' : 'Received'}>
        <RelativeTime date={dueDate} />
      </Fact>
      {startedDate && <Fact name="Waited">{between(dueDate, startedDate)}</Fact>}
      {startedDate && finishedDate && <Fact name="Took">{between(startedDate, finishedDate)}</Fact>}
      {attempts > 0 && <Fact name="Attempts">{attempts}</Fact>}
      {nextAttemptDate && (
        <Fact name={attempts > 0 ? 'Next attempt' : 'Starts'}>
          <RelativeTime date={nextAttemptDate} ahead />
        </Fact>
      )}
      {delivery.totalTokens > 0 && <Fact name="Tokens">{delivery.totalTokens}</Fact>}
      {replayOf && (
        <Fact name="Replay of">
          <TextLink asChild>
            <Link to="/triggers/$id" params={{ id: triggerId }} search={{ delivery: replayOf }}>
              an earlier delivery
            </Link>
          </TextLink>
        </Fact>
      )}
    </Flex>
  )
}

const between = (from: string, to: string) => formatDuration(Math.max(0, Date.parse(to) - Date.parse(from)))

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text as="dt" textStyle="xs" color="fg.muted">
        {name}
      </Text>
      <dd>{children}</dd>
    </div>
  )
}
