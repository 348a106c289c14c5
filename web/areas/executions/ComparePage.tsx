import { Button, Stack } from '@chakra-ui/react'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { compareRuns } from '#contract/compare.ts'
import type { ExecutionDetail } from '#contract/executions.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { CompareSteps } from './CompareSteps.tsx'
import { CompareTotals } from './CompareTotals.tsx'
import { PageState } from './PageState.tsx'
import { executionQuery, traceOf } from './queries.ts'

interface ComparePageProps {
  /** Ids of the two runs. */
  a: string
  b: string
  /** Path of the step whose outputs are open. */
  step: string | undefined
  onStep: (step: string | undefined) => void
}

/** Two runs side by side: which way each took, what came out, and what it cost. */
export function ComparePage({ a, b, ...steps }: ComparePageProps) {
  return (
    <Stack gap="6">
      <Button asChild variant="ghost" size="sm" alignSelf="start" ms="-3" mb="-3" color="fg.muted">
        <Link to="/executions">
          <IconArrowLeft size={16} aria-hidden /> All executions
        </Link>
      </Button>
      <PageTitle
        title="Compare executions"
        purpose="Step by step: what only one of them did, and what came out different."
      />
      {a && b ? <Loaded a={a} b={b} {...steps} /> : <NothingChosen />}
    </Stack>
  )
}

const MISSING = 'One of these executions does not exist or was deleted. Choose two others in the list.'

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
  const comparison = useMemo(() => compareRuns({ ...a, trace: traceOf(a) }, { ...b, trace: traceOf(b) }), [a, b])
  return (
    <Stack gap="6">
      <CompareTotals a={a} b={b} comparison={comparison} />
      <CompareSteps steps={comparison.steps} open={step} onOpen={onStep} />
    </Stack>
  )
}

function NothingChosen() {
  return (
    <EmptyState
      title="Choose two executions"
      text="Select two in the list of executions and press Compare."
      action={
        <Button asChild colorPalette="accent">
          <Link to="/executions">Open the list</Link>
        </Button>
      }
    />
  )
}
