import { Box, chakra, Flex, Text } from '@chakra-ui/react'
import { IconCheck, IconX } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import type { Approval, ToolCallRequest } from '#contract/runs/approvals.ts'
import { session } from '../../api/session.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { responderText, toolTitles, verdictOf } from './approval-text.ts'

const RequestedCalls = lazy(() => import('./RequestedCalls.tsx'))

/** A person's decision: `Allowed Calculator`, by whom, when, and the comment. */
export function Decision({ approval }: { approval: Pick<Approval, 'answer' | 'toolCalls' | 'at'> }) {
  const { answer, toolCalls, at } = approval
  const Icon = answer.type === 'proceed' ? IconCheck : IconX
  const by = responderText(answer.by, useSnapshot(session).user?.id)
  return (
    <Box>
      <Flex gap="1.5" align="center" wrap="wrap">
        <Box color={answer.type === 'proceed' ? 'success.fg' : 'danger.fg'}>
          <Icon size={16} aria-hidden />
        </Box>
        <Text fontWeight="medium">
          {verdictOf(approval)} {toolTitles(toolCalls ?? [])}
        </Text>
        <Text fontSize="xs" color="fg.muted">
          {by && `by ${by} · `}
          <RelativeTime date={at} />
        </Text>
      </Flex>
      {answer.feedback && (
        <Text whiteSpace="pre-wrap" overflowWrap="anywhere">
          {answer.feedback}
        </Text>
      )}
    </Box>
  )
}

interface PastRequestProps {
  nodeLabel: string
  calls: readonly ToolCallRequest[]
}

/** The tool calls of a question that was answered, with their arguments folded. */
export function PastRequest({ nodeLabel, calls }: PastRequestProps) {
  return (
    <chakra.details fontSize="sm">
      <chakra.summary cursor="pointer" minH="6" color="fg.muted">
        {nodeLabel} asked to use {toolTitles(calls)}
      </chakra.summary>
      <Box mt="1">
        <Suspense fallback={null}>
          <RequestedCalls calls={calls} />
        </Suspense>
      </Box>
    </chakra.details>
  )
}
