import { Box, Button, Field, Flex, Heading, Text, Textarea } from '@chakra-ui/react'
import { IconCheck, IconX } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { HumanAnswer, HumanInputAction } from '#contract/runs/events.ts'
import { requestedCalls, toolTitles, withoutToolCalls } from './approval-text.ts'

const Markdown = lazy(() => import('../Markdown.tsx'))
const RequestedCalls = lazy(() => import('./RequestedCalls.tsx'))

interface ApprovalProps {
  action: HumanInputAction
  /** Markdown. */
  question: string
  /** A response is being sent. */
  busy: boolean
  /** Moves the focus here when the question appears. */
  shouldFocus?: boolean
  onAnswer: (answer: HumanAnswer) => void
}

/** The approval form of a waiting run. */
export function Approval({ action, question, busy, shouldFocus = false, onAnswer }: ApprovalProps) {
  const [feedback, setFeedback] = useState('')
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each question
  useEffect(() => {
    if (shouldFocus) place.current?.focus()
  }, [action.id])

  const { mapping, data } = action
  const calls = requestedCalls(data.input)
  const isToolCall = calls.length > 0
  const said = isToolCall ? withoutToolCalls(question) : question
  const answer = (type: HumanAnswer['type']) =>
    onAnswer({ type, ...(feedback.trim() && { feedback: feedback.trim() }) })
  return (
    <Flex
      ref={place}
      role="group"
      tabIndex={-1}
      aria-label={`${data.nodeLabel} needs your approval`}
      direction="column"
      gap="3"
      borderWidth="1px"
      borderColor="warning.muted"
      bg="bg.panel"
      borderRadius="xl"
      p="4"
    >
      <Heading as="h3" size="sm" fontWeight={isToolCall ? 'medium' : undefined} overflowWrap="anywhere">
        {isToolCall ? (
          <>
            {data.nodeLabel} wants to use <strong>{toolTitles(calls)}</strong>
          </>
        ) : (
          `${data.nodeLabel} needs your approval`
        )}
      </Heading>
      {said && (
        <Suspense fallback={<Text whiteSpace="pre-wrap">{said}</Text>}>
          <Markdown text={said} />
        </Suspense>
      )}
      {isToolCall && (
        <Suspense fallback={<Box minH="10" />}>
          <RequestedCalls calls={calls} />
        </Suspense>
      )}
      {data.input.humanInputEnableFeedback && (
        <Field.Root>
          <Field.Label>Comment (optional)</Field.Label>
          <Textarea
            autoresize
            maxH="8lh"
            rows={2}
            value={feedback}
            onChange={(event) => setFeedback(event.target.value)}
          />
        </Field.Root>
      )}
      <Flex gap="2" wrap="wrap">
        <Button size="sm" colorPalette="accent" disabled={busy} onClick={() => answer('proceed')}>
          <IconCheck size={16} aria-hidden /> {isToolCall ? 'Allow' : mapping.approve}
        </Button>
        <Button size="sm" variant="outline" disabled={busy} onClick={() => answer('reject')}>
          <IconX size={16} aria-hidden /> {isToolCall ? 'Decline' : mapping.reject}
        </Button>
      </Flex>
    </Flex>
  )
}
