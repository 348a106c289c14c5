import { Spinner, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { stepDuration } from '#contract/runs/compare.ts'
import type { TraceItem, UsedTool } from '#contract/runs/events.ts'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { StepMarks } from './StepMarks.tsx'

interface StoredStepsProps {
  executionId: string
  tools: readonly UsedTool[]
}

/** The steps of an earlier run, loaded when they are opened. */
export default function StoredSteps({ executionId, tools }: StoredStepsProps) {
  const { data, error } = useQuery({
    queryKey: keys.one('executions', executionId),
    queryFn: () => api.get<ExecutionDetail>(`/executions/${encodeURIComponent(executionId)}`),
    retry: false,
  })
  if (error) return <Text fontSize="xs">Couldn’t load the steps: {error.message}</Text>
  if (!data) return <Spinner size="xs" aria-label="Loading steps" />
  const trace = JSON.parse(data.executionData) as TraceItem[]
  const steps = trace.map((item) => ({ ...item, duration: stepDuration(item) }))
  return <StepMarks steps={steps} tools={tools} />
}
