import { Box, Heading, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { questionText } from './run-summary.ts'

const OutputDiff = lazy(() => import('./OutputDiff.tsx'))

/** The answers of two runs side by side, under their questions. */
export function CompareAnswers({ a, b }: { a: ExecutionDetail; b: ExecutionDetail }) {
  const question = { a: questionText(a.question), b: questionText(b.question) }
  return (
    <Box as="section" aria-label="Answers">
      <Heading as="h2" size="md" mb="3">
        Answers
      </Heading>
      <Suspense fallback={<Text color="fg.muted">Loading the difference…</Text>}>
        <OutputDiff a={a.answer ?? ''} b={b.answer ?? ''}>
          {(side) => (
            <Text fontSize="sm" color="fg.muted" lineClamp={2} overflowWrap="anywhere">
              {question[side]}
            </Text>
          )}
        </OutputDiff>
      </Suspense>
    </Box>
  )
}
