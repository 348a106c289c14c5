import { Box, chakra, Flex, Spinner, Text } from '@chakra-ui/react'
import { IconAlertCircle, IconCheck, IconPlayerPause, IconPlayerStop } from '@tabler/icons-react'
import type { StepStatus, UsedTool } from '#contract/runs/events.ts'
import { formatDuration } from '../../ui/format.ts'
import { outcomeText, toolTitle } from '../approvals/approval-text.ts'
import type { StepMark } from '../conversation.ts'
import { StepIcon } from '../trace/StepIcon.tsx'
import { stepName } from './step-name.ts'

const STATUS_MARKS: Record<StepStatus, { icon: React.ReactNode; text: string }> = {
  INPROGRESS: { icon: <Spinner size="xs" />, text: 'running' },
  FINISHED: { icon: <IconCheck size={14} aria-hidden />, text: 'finished' },
  STOPPED: { icon: <IconPlayerPause size={14} aria-hidden />, text: 'waiting' },
  ERROR: { icon: <IconAlertCircle size={14} aria-hidden />, text: 'failed' },
  TERMINATED: { icon: <IconPlayerStop size={14} aria-hidden />, text: 'stopped' },
}

/** Steps with their durations, then the tools that the last one used. */
export function StepMarks({ steps, tools }: { steps: readonly StepMark[]; tools: readonly UsedTool[] }) {
  return (
    <Box as="ol" listStyleType="none" mt="1" ps="2" borderInlineStartWidth="2px">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever appended
        <Flex as="li" key={index} gap="2" align="center" minH="6">
          {STATUS_MARKS[step.status].icon}
          <StepIcon path={step.path ?? step.nodeId} />
          <Text>{stepName(step)}</Text>
          <Text srOnly>{STATUS_MARKS[step.status].text}</Text>
          {step.duration !== undefined && (
            <Text ms="auto" fontSize="xs">
              {formatDuration(step.duration)}
            </Text>
          )}
        </Flex>
      ))}
      {tools.map((tool, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tool calls are only ever appended
        <Box as="li" key={`tool-${index}`}>
          <chakra.details>
            <chakra.summary cursor="pointer" minH="6">
              Tool: {toolTitle(tool.tool) + outcomeText(tool)}
            </chakra.summary>
            <chakra.pre fontSize="xs" whiteSpace="pre-wrap" overflowWrap="anywhere">
              {JSON.stringify({ input: tool.toolInput, output: tool.error ?? tool.toolOutput }, null, 2)}
            </chakra.pre>
          </chakra.details>
        </Box>
      ))}
    </Box>
  )
}
