import { Button, Stack } from '@chakra-ui/react'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { compareRuns } from '#contract/runs/compare.ts'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { CompareAnswers } from './CompareAnswers.tsx'
import { CompareSteps } from './CompareSteps.tsx'
import { CompareTotals } from './CompareTotals.tsx'
import { PageState } from './PageState.tsx'
import { executionQuery, parseTrace } from './queries.ts'

interface ComparePageProps {
  /** Ids of the runs to compare. */
  a: string
  b: string
  /** Path of the expanded step. */
  step: string | undefined
  onStep: (step: string | undefined) => void
}

/** Compares two runs: path, outputs, tokens, cost and duration. */
export function ComparePage({ a, b, ...steps }: ComparePageProps) {
  return (
    <Stack gap="6">
      <Button asChild variant="ghost" size="sm" alignSelf="start" ms="-3" mb="-3" color="fg.muted">
        <Link to="/executions">
          <IconArrowLeft size={16} aria-hidden /> All executions
        </Link>
      </Button>
      <PageTitle title="Compare executions" purpose="See which steps and outputs differ between two runs." />
      {a && b ? <Loaded a={a} b={b} {...steps} /> : <NothingSelected />}
    </Stack>
  )
}

const MISSING = 'One of these executions was deleted. Choose two others from the list.'

function Loaded({ a, b, ...steps }: ComparePageProps) {
  const left = useQuery(executionQuery(a))
  const right = useQuery(executionQuery(b))
  return (
    <PageState query={left} missing={MISSING}>
      {(one) => (
        <PageState query={right} missing={MISSING}>
          {(other) => <Comparison a={one} b={other} {...steps} />}
        </PageState>
      )}
    </PageState>
  )
}

interface ComparisonProps extends Pick<ComparePageProps, 'step' | 'onStep'> {
  a: ExecutionDetail
  b: ExecutionDetail
}

function Comparison({ a, b, step, onStep }: ComparisonProps) {
  const comparison = useMemo(() => compareRuns({ ...a, trace: parseTrace(a) }, { ...b, trace: parseTrace(b) }), [a, b])
  return (
    <Stack gap="6">
      <CompareAnswers a={a} b={b} />
      <CompareTotals a={a} b={b} comparison={comparison} />
      <CompareSteps steps={comparison.steps} open={step} onOpen={onStep} />
    </Stack>
  )
}

function NothingSelected() {
  return (
    <EmptyState
      title="Choose two executions"
      text="Select two executions in the list, then choose Compare."
      action={
        <Button asChild colorPalette="accent">
          <Link to="/executions">Open executions</Link>
        </Button>
      }
    />
  )
}
