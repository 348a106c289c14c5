import { chakra, Flex, Text, Link as TextLink } from '@chakra-ui/react'
import { IconThumbDownFilled, IconThumbUpFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { UsedTool } from '#contract/runs/events.ts'
import { useCan } from '../../api/use-can.ts'
import { Artifacts } from '../../chat/Artifacts.tsx'
import { toolTitle, withoutToolCalls } from '../../chat/approvals/approval-text.ts'
import { PastRequest } from '../../chat/approvals/Decision.tsx'
import type { Answer, Opinion } from '../../chat/conversation.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { JsonView } from '../../ui/json/JsonView.tsx'

const Markdown = lazy(() => import('../../chat/Markdown.tsx'))
const Sources = lazy(() => import('../../chat/Sources.tsx'))

/** An answer as its reader saw it, with what they thought of it and where its run is. */
export function StoredAnswer({ answer }: { answer: Answer }) {
  const mayOpenRuns = useCan()('executions:view')
  const text = withoutToolCalls(answer.text).trim()
  return (
    <Flex direction="column" gap="2" bg="bg.subtle" borderRadius="xl" px="4" py="3" me={{ base: '0', md: '8' }}>
      {text && (
        <Suspense fallback={<Text whiteSpace="pre-wrap">{text}</Text>}>
          <Markdown text={text} />
        </Suspense>
      )}
      {!text && !answer.error && <Text color="fg.muted">{STATES[answer.state]}</Text>}
      <Artifacts artifacts={answer.artifacts} />
      {answer.requested && <PastRequest {...answer.requested} />}
      {answer.error && <Notice kind="warning">{answer.error}</Notice>}
      {answer.sources.length > 0 && (
        <Suspense>
          <Sources documents={answer.sources} />
        </Suspense>
      )}
      <UsedTools tools={answer.usedTools} />
      <Flex gap="3" align="center" wrap="wrap" fontSize="xs" color="fg.muted">
        {answer.opinion && <Rated opinion={answer.opinion} />}
        {answer.executionId && mayOpenRuns && (
          <TextLink asChild variant="underline">
            <Link to="/executions/$id" params={{ id: answer.executionId }}>
              View run
            </Link>
          </TextLink>
        )}
      </Flex>
    </Flex>
  )
}

const STATES: Record<Answer['state'], string> = {
  running: 'No answer yet.',
  waiting: 'Waiting for approval.',
  done: 'No text.',
  failed: 'The run failed.',
  stopped: 'Stopped.',
}

function UsedTools({ tools }: { tools: readonly UsedTool[] }) {
  if (tools.length === 0) return null
  return (
    <chakra.details fontSize="sm" color="fg.muted">
      <chakra.summary cursor="pointer" minH="6">
        {tools.length === 1 ? '1 tool used' : `${tools.length} tools used`}
      </chakra.summary>
      {tools.map((tool, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stored answer does not change
        <JsonView key={index} label={toolTitle(tool.tool)} value={tool} />
      ))}
    </chakra.details>
  )
}

function Rated({ opinion: { rating, content } }: { opinion: Opinion }) {
  if (!rating && !content) return null
  const [Icon, label] =
    rating === 'THUMBS_UP' ? [IconThumbUpFilled, 'Good answer'] : [IconThumbDownFilled, 'Bad answer']
  return (
    <Flex gap="1" align="center" overflowWrap="anywhere">
      {rating && <Icon size={14} aria-hidden />}
      {rating && label}
      {content && `: ${content}`}
    </Flex>
  )
}
