import { Box, chakra, Flex, Spinner, Text } from '@chakra-ui/react'
import { IconAlertCircle, IconCheck, IconPlayerPause, IconPlayerStop } from '@tabler/icons-react'
import type { StepStatus, UsedTool } from '#contract/runs/events.ts'
import { outcomeText } from './approvals/approval-text.ts'
import type { StepMark } from './conversation.ts'
import { occurrenceText } from './trace/tree.ts'

const STATUS_MARKS: Record<StepStatus, { icon: React.ReactNode; text: string }> = {
  INPROGRESS: { icon: <Spinner size="xs" />, text: 'running' },
  FINISHED: { icon: <IconCheck size={14} aria-hidden />, text: 'finished' },
  STOPPED: { icon: <IconPlayerPause size={14} aria-hidden />, text: 'waiting' },
  ERROR: { icon: <IconAlertCircle size={14} aria-hidden />, text: 'failed' },
  TERMINATED: { icon: <IconPlayerStop size={14} aria-hidden />, text: 'stopped' },
}

/** Returns `Writer`, or `Writer (item 2)` inside an iteration. */
function nameOf({ nodeLabel, path }: StepMark): string {
  const which = path ? occurrenceText(path) : ''
  return which ? `${nodeLabel} (${which})` : nodeLabel
}

/** The steps of a run, collapsed under the answer. While running, the summary names the current step. */
export function Steps({
  steps,
  tools,
  running,
}: {
  steps: readonly StepMark[]
  tools: readonly UsedTool[]
  running: boolean
}) {
  if (steps.length === 0) return null
  const now = running ? steps.findLast((step) => step.status === 'INPROGRESS') : undefined
  return (
    <chakra.details fontSize="sm" color="fg.muted">
      <chakra.summary cursor="pointer" minH="6" aria-live="polite">
        {now ? `${nameOf(now)}…` : `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`}
      </chakra.summary>
      <Box as="ol" listStyleType="none" mt="1" ps="2" borderInlineStartWidth="2px">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever appended
          <Flex as="li" key={index} gap="2" align="center" minH="6">
            {STATUS_MARKS[step.status].icon}
            <Text>{nameOf(step)}</Text>
            <Text srOnly>{STATUS_MARKS[step.status].text}</Text>
          </Flex>
        ))}
        {tools.map((tool, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tool calls are only ever appended
          <Box as="li" key={`tool-${index}`}>
            <chakra.details>
              <chakra.summary cursor="pointer" minH="6">
                Tool: {tool.tool + outcomeText(tool)}
              </chakra.summary>
              <chakra.pre fontSize="xs" whiteSpace="pre-wrap" overflowWrap="anywhere">
                {JSON.stringify({ input: tool.toolInput, output: tool.error ?? tool.toolOutput }, null, 2)}
              </chakra.pre>
            </chakra.details>
          </Box>
        ))}
      </Box>
    </chakra.details>
  )
}
