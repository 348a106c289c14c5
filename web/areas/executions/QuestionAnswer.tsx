import { Box, Stack, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { withoutToolCalls } from '../../chat/approvals/approval-text.ts'
import { questionText } from './run-summary.ts'

const Markdown = lazy(() => import('../../chat/Markdown.tsx'))

/** The question and the answer of a run, as the person read them. */
export function QuestionAnswer({ execution }: { execution: ExecutionDetail }) {
  const question = questionText(execution.question)
  const answer = withoutToolCalls(execution.answer ?? '')
  if (!question && !answer) return null
  return (
    <Stack
      as="section"
      aria-label="Question and answer"
      gap="3"
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.panel"
      p="4"
    >
      {question && (
        <Box alignSelf="end" maxW="prose" bg="bg.subtle" borderRadius="l2" px="3" py="2">
          <Text whiteSpace="pre-wrap" overflowWrap="anywhere" maxH="60" overflow="auto">
            {question}
          </Text>
        </Box>
      )}
      {answer && (
        <Box maxW="prose" maxH="96" overflow="auto">
          <Suspense fallback={<Text whiteSpace="pre-wrap">{answer}</Text>}>
            <Markdown text={answer} />
          </Suspense>
        </Box>
      )}
    </Stack>
  )
}
