import { Badge } from '@chakra-ui/react'
import type { DeliverySource, DeliveryState, TriggerState } from '#contract/triggers/index.ts'
import type { TriggerKind } from '#contract/triggers/settings.ts'

export const TRIGGER_LABELS: Record<TriggerState, string> = {
  active: 'Active',
  paused: 'Paused',
  failing: 'Failing',
  ended: 'Ended',
}

export const DELIVERY_LABELS: Record<DeliveryState, string> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  dead: 'Failed',
  skipped: 'Skipped',
  refused: 'Rejected',
}

export const SOURCE_LABELS: Record<DeliverySource, string> = {
  schedule: 'Schedule',
  webhook: 'Request',
  manual: 'Manual run',
  replay: 'Replay',
}

export const KIND_LABELS: Record<TriggerKind, string> = { schedule: 'Schedule', webhook: 'Webhook' }

/** Returns the labels as options of a select. */
export const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  Object.entries(labels) as [value: Value, label: string][]

const COLORS: Record<TriggerState | DeliveryState, string> = {
  active: 'success',
  paused: 'gray',
  failing: 'danger',
  ended: 'gray',
  queued: 'gray',
  running: 'accent',
  succeeded: 'success',
  dead: 'danger',
  skipped: 'warning',
  refused: 'warning',
}

export const TriggerBadge = ({ state }: { state: TriggerState }) => (
  <Badge flexShrink="0" colorPalette={COLORS[state]}>
    {TRIGGER_LABELS[state]}
  </Badge>
)

export const DeliveryBadge = ({ state }: { state: DeliveryState }) => (
  <Badge flexShrink="0" colorPalette={COLORS[state]}>
    {DELIVERY_LABELS[state]}
  </Badge>
)
