import { Box, Button, Flex, IconButton, Skeleton, Text } from '@chakra-ui/react'
import { IconCopy, IconListTree, IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { formatCount } from '#contract/format.ts'
import { Notice } from '../ui/Notice.tsx'
import { notify } from '../ui/notify.ts'
import type { Answer } from './conversation.ts'
import { Steps } from './Steps.tsx'
import { formatCost } from './trace/tree.ts'

const Markdown = lazy(() => import('./Markdown.tsx'))

/** One answer: its text as it comes, what went wrong, and one click away the steps, costs and the whole execution. */
export function AnswerView({ answer, onRetry }: { answer: Answer; onRetry: () => void }) {
  const running = answer.state === 'running'
  return (
    <Flex direction="column" gap="2" bg="bg.subtle" borderRadius="xl" px="4" py="3" me="4">
      {answer.text && (
        <Suspense fallback={<Text whiteSpace="pre-wrap">{answer.text}</Text>}>
          <Markdown text={answer.text} />
        </Suspense>
      )}
      {running && !answer.text && <Skeleton h="4" w="60%" aria-label="Waiting for the answer" />}
      {answer.state === 'stopped' && <Text color="fg.muted">Stopped.</Text>}
      {answer.state === 'failed' && (
        <Notice kind="danger" display="flex" gap="3" alignItems="center">
          <Text flex="1" overflowWrap="anywhere">
            {answer.error}
          </Text>
          <Button size="xs" variant="outline" onClick={onRetry}>
            <IconRefresh size={14} aria-hidden /> Retry
          </Button>
        </Notice>
      )}
      <Steps steps={answer.steps} tools={answer.usedTools} running={running} />
      {!running && <AnswerFooter answer={answer} />}
    </Flex>
  )
}

function AnswerFooter({ answer }: { answer: Answer }) {
  const copy = () => navigator.clipboard.writeText(answer.text).then(() => notify.success('Copied as Markdown'))
  return (
    <Flex gap="1" align="center" fontSize="xs" color="fg.muted">
      {answer.text && (
        <IconButton size="2xs" variant="ghost" aria-label="Copy answer as Markdown" onClick={copy}>
          <IconCopy size={14} />
        </IconButton>
      )}
      {answer.executionId && (
        <IconButton size="2xs" variant="ghost" aria-label="Open the execution" asChild>
          <Link to="/executions/$id" params={{ id: answer.executionId }} target="_blank">
            <IconListTree size={14} />
          </Link>
        </IconButton>
      )}
      {answer.usage && (
        <Box ms="auto">
          {formatCount(answer.usage.total_tokens)} tokens
          {answer.usage.total_cost !== undefined && ` · ${formatCost(answer.usage.total_cost)}`}
        </Box>
      )}
    </Flex>
  )
}
