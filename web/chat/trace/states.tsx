import { Badge } from '@chakra-ui/react'
import type { RunState, StepStatus } from '#contract/runs/events.ts'
import type { LimitName } from '#contract/runs/limits.ts'

const states: Record<RunState | StepStatus, { label: string; palette: string }> = {
  INPROGRESS: { label: 'Running', palette: 'accent' },
  FINISHED: { label: 'Finished', palette: 'success' },
  STOPPED: { label: 'Waiting for approval', palette: 'warning' },
  ERROR: { label: 'Failed', palette: 'danger' },
  TERMINATED: { label: 'Stopped', palette: 'gray' },
  TIMEOUT: { label: 'Timed out', palette: 'danger' },
}

const LIMIT_LABELS: Record<LimitName, string> = {
  tokens: 'Stopped: token limit',
  cost: 'Stopped: cost limit',
  steps: 'Stopped: step limit',
  time: 'Stopped: time limit',
}

/** Returns the label of a run's or step's status. `endedBy` is the limit that ended the run. */
export const stateLabel = (state: RunState | StepStatus, endedBy?: LimitName | null): string =>
  endedBy ? LIMIT_LABELS[endedBy] : states[state].label

interface StateBadgeProps {
  state: RunState | StepStatus
  endedBy?: LimitName | null
}

export function StateBadge({ state, endedBy }: StateBadgeProps) {
  return (
    <Badge flexShrink="0" colorPalette={endedBy ? 'danger' : states[state].palette}>
      {stateLabel(state, endedBy)}
    </Badge>
  )
}
