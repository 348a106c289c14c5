import { Button, Flex, Text } from '@chakra-ui/react'
import { IconPlayerTrackNext } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { TraceItem } from '#contract/runs/events.ts'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { useCan } from '../../api/use-can.ts'
import { isCopied } from './queries.ts'
import { RunLink } from './RunLineage.tsx'

const ReplayDialog = lazy(() => import('./ReplayDialog.tsx'))

interface StepAboutProps {
  execution: ExecutionDetail
  item: TraceItem
  path: string
}

/** The origin of a step, a link to the run it called, and the replay button. */
export function StepAbout({ execution, item, path }: StepAboutProps) {
  const canRun = useCan()('executions:create')
  const [replaying, setReplaying] = useState(false)
  const { replayOf, state } = execution
  const called = item.data.output?.executionId
  return (
    <Flex align="center" gap="4" wrap="wrap" fontSize="sm">
      {replayOf && isCopied(execution, item) && (
        <Text color="fg.muted">
          Reused from <RunLink id={replayOf}>the original run</RunLink> at no cost.
        </Text>
      )}
      {typeof called === 'string' && <RunLink id={called}>View called run</RunLink>}
      {canRun && state !== 'INPROGRESS' && (
        <Button size="sm" variant="outline" onClick={() => setReplaying(true)}>
          <IconPlayerTrackNext size={16} aria-hidden /> Replay from here
        </Button>
      )}
      {replaying && (
        <Suspense fallback={null}>
          <ReplayDialog execution={execution} item={item} path={path} onClose={() => setReplaying(false)} />
        </Suspense>
      )}
    </Flex>
  )
}
