import { Button, Field, Flex, Heading, Text, Textarea } from '@chakra-ui/react'
import { IconCheck, IconX } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { HumanAnswer, HumanInputAction } from '#contract/runs/events.ts'

const Markdown = lazy(() => import('./Markdown.tsx'))

export interface ApprovalProps {
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
      <Heading as="h3" size="sm" color="warning.fg">
        {data.nodeLabel} needs your approval
      </Heading>
      <Suspense fallback={<Text whiteSpace="pre-wrap">{question}</Text>}>
        <Markdown text={question} />
      </Suspense>
      {data.input.humanInputEnableFeedback && (
        <Field.Root>
          <Field.Label>Feedback (optional)</Field.Label>
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
          <IconCheck size={16} aria-hidden /> {mapping.approve}
        </Button>
        <Button size="sm" variant="outline" disabled={busy} onClick={() => answer('reject')}>
          <IconX size={16} aria-hidden /> {mapping.reject}
        </Button>
      </Flex>
    </Flex>
  )
}
