import { Box, Button, Flex, IconButton, Skeleton, Text, Link as TextLink } from '@chakra-ui/react'
import { IconCopy, IconListTree, IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useContext } from 'react'
import { formatCount } from '#contract/data/format.ts'
import { OUTSIDER, waitingNote } from '#contract/runs/approvers.ts'
import type { HumanAnswer } from '#contract/runs/events.ts'
import { useStanding } from '../api/use-standing.ts'
import { notify } from '../state/notify.ts'
import { Notice } from '../ui/feedback/Notice.tsx'
import { usageCost } from '../ui/format.ts'
import { Artifacts } from './Artifacts.tsx'
import { Approval } from './approvals/Approval.tsx'
import { withoutToolCalls } from './approvals/approval-text.ts'
import { PastRequest } from './approvals/Decision.tsx'
import { Bubble } from './Bubble.tsx'
import { ChatLook } from './chat-look.ts'
import { type Answer, type Opinion, questionOf } from './conversation.ts'
import { Rating } from './Rating.tsx'
import { ListeningContext } from './speech/listening.ts'
import { emptyText, needsCredential } from './steps/next-step.ts'
import { Steps } from './steps/Steps.tsx'

const Markdown = lazy(() => import('./Markdown.tsx'))
const Sources = lazy(() => import('./Sources.tsx'))
const SpeakButton = lazy(() => import('./speech/SpeakButton.tsx'))

interface AnswerViewProps {
  answer: Answer
  /** What others decided, where no turn of its own says it. */
  decided?: string
  /** Another run of this chat is in progress. */
  busy: boolean
  onRetry: () => void
  onAnswer: (answer: HumanAnswer) => void
  /** Rejects when the rating could not be saved. */
  onRate: (opinion: Opinion) => Promise<void>
}

/** An answer: streamed text, files, approval, error, steps, cost and a link to the execution. */
export function AnswerView({ answer, decided, busy, onRetry, onAnswer, onRate }: AnswerViewProps) {
  const look = useContext(ChatLook)
  const standing = useStanding()
  const running = answer.state === 'running'
  const waits = answer.state === 'waiting' ? answer.action : undefined
  const note = waits ? waitingNote(waits, look.forMembers ? standing : OUTSIDER) : ''
  const asks = note ? undefined : waits
  const question = questionOf(answer)
  const said = withoutToolCalls(answer.text || (answer.action ? question : ''))
    .replace(note, '')
    .trim()
  // The card of what is asked says it.
  const text = asks && said === withoutToolCalls(question).trim() ? '' : said
  const empty = emptyText(answer)
  return (
    <Bubble look={look.answer} bg="bg.subtle" px="4" py="3" me="4">
      {decided && (
        <Text fontSize="sm" color="fg.muted">
          {decided}
        </Text>
      )}
      {text && (
        <Suspense fallback={<Text whiteSpace="pre-wrap">{text}</Text>}>
          <Markdown text={text} />
        </Suspense>
      )}
      {note && <Text fontWeight="medium">{note}</Text>}
      {empty && <Text color="fg.muted">{empty}</Text>}
      <Artifacts artifacts={answer.artifacts} />
      {answer.requested && <PastRequest {...answer.requested} />}
      {running && !text && <Skeleton role="status" h="4" w="60%" aria-label="Waiting for answer" />}
      {asks && (
        <Approval action={asks} question={question} busy={busy} shouldFocus={answer.isLive} onAnswer={onAnswer} />
      )}
      {answer.state === 'stopped' && !answer.error && <Text color="fg.muted">Stopped.</Text>}
      {answer.state === 'stopped' && answer.error && <Notice kind="warning">{answer.error}</Notice>}
      {answer.state === 'failed' && (
        <Notice kind="danger" display="flex" gap="3" alignItems="center">
          <Text flex="1" overflowWrap="anywhere">
            {look.errorMessage ?? answer.error} <Remedies answer={answer} />
          </Text>
          <Button size="xs" variant="outline" onClick={onRetry}>
            <IconRefresh size={14} aria-hidden /> Try again
          </Button>
        </Notice>
      )}
      {!running && answer.sources.length > 0 && (
        <Suspense>
          <Sources documents={answer.sources} />
        </Suspense>
      )}
      {look.showsSteps && <Steps {...answer} running={running} />}
      {!running && <AnswerFooter answer={answer} onRate={onRate} />}
    </Bubble>
  )
}

/** Leads to what mends a failure: the settings of the node that failed, and the credentials. */
function Remedies({ answer: { error, steps, failedStep } }: Pick<AnswerViewProps, 'answer'>) {
  const { forMembers, openNode } = useContext(ChatLook)
  const failed = steps.findLast(({ status }) => status === 'ERROR') ?? failedStep
  return (
    <>
      {openNode && failed && (
        <TextLink asChild variant="underline" color="inherit" me="3">
          <button type="button" onClick={() => openNode(failed.nodeId)}>
            <u>Open {failed.nodeLabel}</u>
          </button>
        </TextLink>
      )}
      {forMembers && needsCredential(error) && (
        <TextLink asChild variant="underline" color="inherit">
          <Link to="/credentials" target="_blank">
            Check credentials
          </Link>
        </TextLink>
      )}
    </>
  )
}

function AnswerFooter({ answer, onRate }: Pick<AnswerViewProps, 'answer' | 'onRate'>) {
  const { forMembers, rates } = useContext(ChatLook)
  const ask = useContext(ListeningContext)
  const copy = () => navigator.clipboard.writeText(withoutToolCalls(answer.text)).then(() => notify.success('Copied'))
  return (
    <Flex gap="1" align="center" wrap="wrap" fontSize="xs" color="fg.muted">
      {answer.text.trim() && (
        <IconButton size="2xs" variant="ghost" aria-label="Copy answer" onClick={copy}>
          <IconCopy size={14} />
        </IconButton>
      )}
      {ask && answer.state === 'done' && answer.messageId && answer.text.trim() && (
        <Suspense>
          <SpeakButton messageId={answer.messageId} ask={ask} />
        </Suspense>
      )}
      {forMembers && answer.executionId && (
        <IconButton size="2xs" variant="ghost" aria-label="View run" asChild>
          <Link to="/executions/$id" params={{ id: answer.executionId }} target="_blank">
            <IconListTree size={14} />
          </Link>
        </IconButton>
      )}
      {rates && answer.state === 'done' && answer.messageId && <Rating opinion={answer.opinion} onRate={onRate} />}
      {answer.usage && (
        <Box ms="auto">
          {[`${formatCount(answer.usage.total_tokens)} tokens`, usageCost(answer.usage)].filter(Boolean).join(' · ')}
        </Box>
      )}
    </Flex>
  )
}
