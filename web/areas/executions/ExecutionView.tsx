import { Box, Flex, Heading, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import type { ExecutionDetail } from '#contract/executions.ts'
import { formatCount } from '#contract/format.ts'
import { StateBadge } from '../../chat/trace/states.tsx'
import { TraceView } from '../../chat/trace/TraceView.tsx'
import { formatCost, formatDuration } from '../../chat/trace/tree.ts'
import { Notice } from '../../ui/Notice.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { elapsedOf, traceOf } from './queries.ts'

interface ExecutionViewProps {
  execution: ExecutionDetail
  step: number
  onStep: (step: number) => void
  /** What the person may do with it; nothing on the public page. */
  actions?: ReactNode
}

/** One execution: what ran, how it ended, what it took, and its steps. */
export function ExecutionView({ execution, step, onStep, actions }: ExecutionViewProps) {
  const figures = [
    formatDuration(elapsedOf(execution)),
    `${formatCount(execution.totalTokens)} tokens`,
    execution.totalCost !== null && formatCost(execution.totalCost),
  ].filter(Boolean)
  return (
    <Flex direction="column" gap="5">
      <Flex align="center" gap="3" wrap="wrap">
        <Heading as="h1" size="xl">
          {execution.agentflow.name}
        </Heading>
        <StateBadge state={execution.state} />
        <Text color="fg.muted">
          <RelativeTime date={execution.createdDate} /> · {figures.join(' · ')}
        </Text>
        <Box ms="auto">{actions}</Box>
      </Flex>
      {execution.error && (
        <Notice kind="danger" overflowWrap="anywhere">
          {execution.error}
        </Notice>
      )}
      <TraceView trace={traceOf(execution)} selected={step} onSelect={onStep} />
    </Flex>
  )
}
