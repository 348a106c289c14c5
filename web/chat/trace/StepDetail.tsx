import { Box, chakra, Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { lazy, type ReactNode, Suspense } from 'react'
import { artifactsIn } from '#contract/runs/artifacts.ts'
import { stepDuration } from '#contract/runs/compare.ts'
import type { TraceItem, UsedTool } from '#contract/runs/events.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { formatDuration, usageCost } from '../../ui/format.ts'
import { JsonView } from '../../ui/json/JsonView.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { TextBlock } from '../../ui/TextBlock.tsx'
import { Artifacts } from '../Artifacts.tsx'
import { outcomeText, toolTitle, withoutToolCalls } from '../approvals/approval-text.ts'
import { StepIcon } from './StepIcon.tsx'
import { StateBadge } from './states.tsx'
import { isWaiting, occurrenceText } from './tree.ts'

const Markdown = lazy(() => import('../Markdown.tsx'))

interface StepDetailProps {
  item: TraceItem
  /** The step failed and the run continued on its error output. */
  continuedAfterError?: boolean
  /** Extra content below the heading. */
  children?: ReactNode
}

/** A step of a run: status, duration, usage, input, output, flow state and error. */
export function StepDetail({ item, continuedAfterError = false, children }: StepDetailProps) {
  const { input, output, state, error, failedAttempts = [] } = item.data
  // Tool calls are shown together with their results.
  const { calledTools, ...shown } = output ?? {}
  const { content: text, usedTools, artifacts: made, usageMetadata, timeMetadata, humanInputAction, ...rest } = shown
  const content = text && withoutToolCalls(text)
  const artifacts = artifactsIn(made)
  const { messages, others } = messagesOf(input)
  const which = item.path ? occurrenceText(item.path) : ''
  const shownAbove = error !== undefined || (children !== undefined && isWaiting(item))
  return (
    <Stack gap="4">
      <Flex align="center" gap="3" wrap="wrap">
        <StepIcon path={item.path ?? item.nodeId} size={20} />
        <Heading as="h2" size="md">
          {item.nodeLabel}
        </Heading>
        {which && <Text color="fg.muted">{which}</Text>}
        <StateBadge state={item.status} />
        {item.data.disabled && <Text color="fg.muted">Disabled, so it was skipped</Text>}
        <StepFigures item={item} />
      </Flex>
      {children}
      {error && (
        <Notice kind="danger" overflowWrap="anywhere">
          {error}
          {continuedAfterError && <Text mt="1">The run continued on this step’s error output.</Text>}
        </Notice>
      )}
      {failedAttempts.length > 0 && <FailedAttempts attempts={failedAttempts} />}
      {content !== undefined && content !== '' && !shownAbove && (
        <Section title="Answer">
          <Suspense fallback={<Text whiteSpace="pre-wrap">{content}</Text>}>
            <Markdown text={content} />
          </Suspense>
        </Section>
      )}
      {artifacts.length > 0 && (
        <Section title="Files">
          <Artifacts artifacts={artifacts} />
        </Section>
      )}
      {usedTools && usedTools.length > 0 && <Tools tools={usedTools} />}
      {messages && <Messages messages={messages} />}
      <Data title={messages ? 'Settings' : 'Input'} value={others} open={!messages} />
      {Object.keys(rest).length > 0 && <Data title="Output" value={rest} open />}
      <Data title="Flow state" value={state} />
    </Stack>
  )
}

function FailedAttempts({ attempts }: { attempts: { error: string; at: string }[] }) {
  return (
    <Section title="Failed attempts">
      <Stack as="ol" listStyleType="decimal" gap="1" ps="5" fontSize="sm" aria-label="Failed attempts">
        {attempts.map(({ error, at }) => (
          <Box as="li" key={at} overflowWrap="anywhere">
            {error}{' '}
            <Text as="span" color="fg.muted">
              <RelativeTime date={at} />
            </Text>
          </Box>
        ))}
      </Stack>
    </Section>
  )
}

function Tools({ tools }: { tools: UsedTool[] }) {
  return (
    <Section title="Tools used">
      <Stack gap="1">
        {tools.map((used, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a tool may be called several times with the same input
          <UsedToolView key={index} used={used} />
        ))}
      </Stack>
    </Section>
  )
}

/** Public viewers see only the name of the tool. */
function UsedToolView({ used }: { used: UsedTool }) {
  const { tool, toolInput, toolOutput, error } = used
  if (toolInput === undefined && toolOutput === undefined) return <Text fontSize="sm">{toolTitle(tool)}</Text>
  const value = { input: toolInput, ...(error === undefined ? { output: toolOutput } : { error }) }
  return <Data title={toolTitle(tool) + outcomeText(used)} value={value} />
}

interface ModelMessage {
  role?: string
  content?: unknown
}

/** Splits a step's input into model messages and settings. Steps without a model have no messages. */
function messagesOf(input: unknown): { messages?: ModelMessage[]; others: unknown } {
  if (typeof input !== 'object' || input === null || !('messages' in input) || !Array.isArray(input.messages)) {
    return { others: input }
  }
  const { messages, ...others } = input
  return { messages, others }
}

function Messages({ messages }: { messages: ModelMessage[] }) {
  return (
    <Section title="Input">
      <Stack as="ol" listStyleType="none" gap="2" aria-label="Input">
        {messages.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id
          <Box as="li" key={index} bg="bg.subtle" borderRadius="lg" px="3" py="2">
            <Text fontSize="xs" color="fg.muted">
              {message.role ?? 'message'}
            </Text>
            <Text fontSize="sm" whiteSpace="pre-wrap" overflowWrap="anywhere">
              {typeof message.content === 'string' ? message.content : JSON.stringify(message, null, 2)}
            </Text>
          </Box>
        ))}
      </Stack>
    </Section>
  )
}

function StepFigures({ item }: { item: TraceItem }) {
  const usage = item.data.output?.usageMetadata
  const duration = isWaiting(item) ? undefined : stepDuration(item)
  const figures = [
    duration !== undefined && formatDuration(duration),
    usage && `${usage.input_tokens} tokens in, ${usage.output_tokens} out`,
    usage && usageCost(usage),
  ].filter(Boolean)
  return <Text color="fg.muted">{figures.join(' · ')}</Text>
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Heading as="h3" size="sm" mb="1">
        {title}
      </Heading>
      {children}
    </section>
  )
}

function Data({ title, value, open = false }: { title: string; value: unknown; open?: boolean }) {
  if (value === undefined || value === null) return null
  if (typeof value === 'object' && Object.keys(value).length === 0) return null
  return (
    <chakra.details open={open}>
      <chakra.summary cursor="pointer" fontWeight="semibold" fontSize="sm" minH="6">
        {title}
      </chakra.summary>
      {typeof value === 'object' ? (
        <JsonView value={value} label={title} />
      ) : (
        <TextBlock label={title} text={String(value)} />
      )}
    </chakra.details>
  )
}
