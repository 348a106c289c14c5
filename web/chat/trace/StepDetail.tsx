import { chakra, Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import type { TraceItem } from '#contract/events.ts'
import { Notice } from '../../ui/Notice.tsx'
import { StateBadge } from './states.tsx'
import { durationOf, formatCost, formatDuration } from './tree.ts'

const Markdown = lazy(() => import('../Markdown.tsx'))

/** One step of a run: state, time, tokens and cost, what went in, what came out, the flow state, and the error. */
export function StepDetail({ item }: { item: TraceItem }) {
  const { input, output, state, error } = item.data
  const { content, usedTools, usageMetadata, timeMetadata, ...rest } = output ?? {}
  return (
    <Stack gap="4">
      <Flex align="center" gap="3" wrap="wrap">
        <Heading as="h2" size="md">
          {item.nodeLabel}
        </Heading>
        <StateBadge state={item.status} />
        <StepFigures item={item} />
      </Flex>
      {error && (
        <Notice kind="danger" overflowWrap="anywhere">
          {error}
        </Notice>
      )}
      {content !== undefined && content !== '' && (
        <Section title="Answer">
          <Suspense fallback={<Text whiteSpace="pre-wrap">{content}</Text>}>
            <Markdown text={content} />
          </Suspense>
        </Section>
      )}
      {usedTools && usedTools.length > 0 && <Data title="Tools used" value={usedTools} open />}
      <Data title="Input" value={input} open />
      {Object.keys(rest).length > 0 && <Data title="Output" value={rest} open />}
      <Data title="Flow state" value={state} />
    </Stack>
  )
}

function StepFigures({ item }: { item: TraceItem }) {
  const usage = item.data.output?.usageMetadata
  const duration = durationOf(item)
  const figures = [
    duration !== undefined && formatDuration(duration),
    usage && `${usage.input_tokens} tokens in, ${usage.output_tokens} out`,
    usage?.total_cost !== undefined && formatCost(usage.total_cost),
  ].filter(Boolean)
  return <Text color="fg.muted">{figures.join(' · ')}</Text>
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
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
      <chakra.pre
        tabIndex={0}
        aria-label={title}
        mt="1"
        p="3"
        fontSize="xs"
        fontFamily="mono"
        bg="bg.subtle"
        borderRadius="lg"
        maxH="24rem"
        overflow="auto"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
      >
        {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      </chakra.pre>
    </chakra.details>
  )
}
