import { Badge } from '@chakra-ui/react'
import type { RunState, StepStatus } from '#contract/events.ts'

const states: Record<RunState | StepStatus, { label: string; palette: string }> = {
  INPROGRESS: { label: 'Running', palette: 'accent' },
  FINISHED: { label: 'Finished', palette: 'success' },
  STOPPED: { label: 'Waiting', palette: 'warning' },
  ERROR: { label: 'Failed', palette: 'danger' },
  TERMINATED: { label: 'Stopped', palette: 'gray' },
  TIMEOUT: { label: 'Timed out', palette: 'danger' },
}

/** The names that people read for a run's and a step's states. */
export const stateLabel = (state: RunState | StepStatus): string => states[state].label

export function StateBadge({ state }: { state: RunState | StepStatus }) {
  return <Badge colorPalette={states[state].palette}>{states[state].label}</Badge>
}
