import { Box, Button, Flex, Heading, Text, VisuallyHidden } from '@chakra-ui/react'
import { type ReactNode, useMemo, useState } from 'react'
import type { TraceItem } from '#contract/events.ts'
import type { SharedExecution } from '#contract/executions.ts'
import { formatCount } from '#contract/format.ts'
import { stepUsages, sumUsage } from '#contract/usage.ts'
import { StateBadge, stateLabel } from '../../chat/trace/states.tsx'
import { TraceView } from '../../chat/trace/TraceView.tsx'
import { isWaiting, waitingSteps } from '../../chat/trace/tree.ts'
import { formatDuration, usageCost } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { AnswerStep } from './AnswerStep.tsx'
import { elapsedOf, traceOf } from './queries.ts'

interface ExecutionViewProps {
  execution: SharedExecution
  /** Where a member answers the run; strangers who have the link do not know it. */
  flowId?: string
  /** Steps of the run that this one replays. */
  isCopied?: (item: TraceItem) => boolean
  /** Path of the step shown. */
  step: string | undefined
  onStep: (step: string) => void
  /** What the person may do with it; nothing on the public page. */
  actions?: ReactNode
  /** Where the run comes from and belongs to. */
  origin?: ReactNode
  /** What the page says and offers of one step. */
  about?: (item: TraceItem, path: string) => ReactNode
}

/** One execution: what ran, how it ended, what it took, and its steps; a run that waits is answered here. */
export function ExecutionView(props: ExecutionViewProps) {
  const { execution, flowId, isCopied, step, onStep, actions, origin, about } = props
  const trace = useMemo(() => traceOf(execution), [execution])
  const figures = [
    formatDuration(elapsedOf(execution)),
    execution.totalTokens !== undefined && `${formatCount(execution.totalTokens)} tokens`,
    typeof execution.totalCost === 'number' && costText(execution.totalCost, trace),
  ].filter(Boolean)
  const waiting = execution.state === 'STOPPED' ? waitingSteps(trace) : []
  /** How often the person asked to be led to the question. */
  const [visits, setVisits] = useState(0)
  return (
    <Flex direction="column" gap="5">
      <Flex align="center" gap="3" wrap="wrap">
        <Heading as="h1" size="xl" overflowWrap="anywhere">
          {execution.agentflow.name}
        </Heading>
        <StateBadge state={execution.state} endedBy={execution.endedBy} />
        <Text color="fg.muted">
          <RelativeTime date={execution.createdDate} /> · {figures.join(' · ')}
        </Text>
        <Box ms={{ md: 'auto' }}>{actions}</Box>
      </Flex>
      {origin}
      <VisuallyHidden aria-live="polite">{stateLabel(execution.state, execution.endedBy)}</VisuallyHidden>
      {execution.error && (
        <Notice kind={isStop(execution) ? 'info' : 'danger'} overflowWrap="anywhere">
          {isStop(execution) ? 'This run was stopped. The steps that had finished are kept.' : execution.error}
        </Notice>
      )}
      {waiting[0] && (
        <Notice kind="warning" display="flex" gap="3" alignItems="center" flexWrap="wrap">
          <Text flex="1">
            {waiting.length > 1
              ? `${waiting.length} steps wait for an answer. The run goes on with each.`
              : `${waiting[0].nodeLabel} waits for an answer.`}
          </Text>
          <Button
            size="xs"
            variant="outline"
            onClick={() => {
              onStep(waiting[0]?.path ?? '')
              setVisits(visits + 1)
            }}
          >
            Go to the question
          </Button>
        </Notice>
      )}
      <TraceView
        trace={trace}
        selected={step}
        onSelect={onStep}
        isCopied={isCopied}
        about={({ item, path }) => (
          <>
            {about?.(item, path)}
            {execution.state === 'STOPPED' && isWaiting(item) && (
              <AnswerStep
                key={`${path} ${visits}`}
                execution={execution}
                item={item}
                flowId={flowId}
                takesFocus={visits > 0}
                onAnswered={() => onStep(path)}
              />
            )}
          </>
        )}
      />
    </Flex>
  )
}

/** Somebody stopped it; no limit did. */
const isStop = ({ state, endedBy }: SharedExecution) => state === 'TERMINATED' && endedBy === null

function costText(total_cost: number, trace: readonly TraceItem[]): string | undefined {
  return usageCost({ total_cost, cost_is_partial: sumUsage(trace.flatMap(stepUsages))?.cost_is_partial })
}
