import { Box, Button, Flex, Heading, Text, VisuallyHidden } from '@chakra-ui/react'
import { type ReactNode, useMemo, useState } from 'react'
import { formatCount } from '#contract/data/format.ts'
import { OUTSIDER, type Standing, waitingNote } from '#contract/runs/approvers.ts'
import type { TraceItem } from '#contract/runs/events.ts'
import type { SharedExecution } from '#contract/runs/executions.ts'
import { stepUsages, sumUsage } from '#contract/runs/usage.ts'
import { useStanding } from '../../api/use-standing.ts'
import { Approvals } from '../../chat/approvals/Approvals.tsx'
import { StateBadge, stateLabel } from '../../chat/trace/states.tsx'
import { TraceView } from '../../chat/trace/TraceView.tsx'
import { isWaiting, waitingSteps } from '../../chat/trace/tree.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { formatDuration, usageCost } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { AnswerStep } from './AnswerStep.tsx'
import { elapsedOf, parseTrace } from './queries.ts'

interface ExecutionViewProps {
  execution: SharedExecution
  /** Set for members of the workspace; absent on the public page. */
  flowId?: string
  /** Returns true for steps reused from the replayed run. */
  isCopied?: (item: TraceItem) => boolean
  /** Path of the selected step. */
  step: string | undefined
  onStep: (step: string) => void
  /** Actions in the header; absent on the public page. */
  actions?: ReactNode
  /** Version, related runs, question and answer. */
  origin?: ReactNode
  /** Extra content of a step: origin and actions. */
  about?: (item: TraceItem, path: string) => ReactNode
}

/** An execution: header, status, steps, and the approval form while it waits. */
export function ExecutionView(props: ExecutionViewProps) {
  const { execution, flowId, isCopied, step, onStep, actions, origin, about } = props
  const trace = useMemo(() => parseTrace(execution), [execution])
  const figures = [
    formatDuration(elapsedOf(execution)),
    execution.totalTokens !== undefined && `${formatCount(execution.totalTokens)} tokens`,
    typeof execution.totalCost === 'number' && costText(execution.totalCost, trace),
  ].filter(Boolean)
  const waiting = execution.state === 'STOPPED' ? waitingSteps(trace) : []
  const standing = useStanding()
  /** Number of requests to go to the question. */
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
          {isStop(execution) ? 'This run was stopped. Finished steps are kept.' : execution.error}
        </Notice>
      )}
      <WaitingNotice
        steps={waiting}
        standing={flowId ? standing : OUTSIDER}
        onReview={(path) => {
          onStep(path)
          setVisits(visits + 1)
        }}
      />
      <TraceView
        trace={trace}
        selected={step}
        onSelect={onStep}
        isCopied={isCopied}
        about={({ item, path }) => (
          <>
            {about?.(item, path)}
            <Approvals approvals={execution.approvals.filter((approval) => approval.path === path)} />
            {execution.state === 'STOPPED' && isWaiting(item) && (
              <AnswerStep
                key={`${path} ${visits}`}
                execution={execution}
                item={item}
                flowId={flowId}
                shouldFocus={visits > 0}
                onAnswered={() => onStep(path)}
              />
            )}
          </>
        )}
      />
    </Flex>
  )
}

interface WaitingNoticeProps {
  /** The steps that wait for an answer. */
  steps: TraceItem[]
  standing: Standing
  onReview: (path: string) => void
}

/** Leads to the first question that the viewer may answer; where there is none, says who is waited for. */
function WaitingNotice({ steps, standing, onReview }: WaitingNoticeProps) {
  const notes = steps.map((step) => {
    const action = step.data.output?.humanInputAction
    return { step, note: action ? waitingNote(action, standing) : '' }
  })
  const mine = notes.flatMap(({ step, note }) => (note ? [] : [step]))
  const [first] = mine
  if (!first) {
    const others = [...new Set(notes.map(({ note }) => note))].join(' ')
    return others && <Notice kind="info">{others}</Notice>
  }
  return (
    <Notice kind="warning" display="flex" gap="3" alignItems="center" flexWrap="wrap">
      <Text flex="1">
        {mine.length > 1 ? `${mine.length} steps need your approval.` : `${first.nodeLabel} needs your approval.`}
      </Text>
      <Button size="xs" variant="outline" onClick={() => onReview(first.path ?? '')}>
        Review
      </Button>
    </Notice>
  )
}

/** Returns true when a person stopped the run, not a limit. */
const isStop = ({ state, endedBy }: SharedExecution) => state === 'TERMINATED' && endedBy === null

function costText(total_cost: number, trace: readonly TraceItem[]): string | undefined {
  return usageCost({ total_cost, cost_is_partial: sumUsage(trace.flatMap(stepUsages))?.cost_is_partial })
}
