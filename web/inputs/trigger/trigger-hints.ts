/** Explains what to do about a trigger that is not active. Pure. */
import type { Trigger } from '#contract/triggers/index.ts'

type TriggerStatus = Pick<Trigger, 'state' | 'nodeId' | 'kind' | 'failuresInRow'>

export function triggerHint({ state, nodeId, kind, failuresInRow }: TriggerStatus): string | null {
  switch (state) {
    case 'active':
      return null
    case 'paused':
      return kind === 'schedule' ? 'No runs start until you resume it.' : 'Requests are rejected until you resume it.'
    case 'failing':
      return `Paused after ${failuresInRow} consecutive failures. Review the failed deliveries, fix the flow, then resume it.`
    case 'ended':
      return nodeId === null
        ? 'Set a later end date or remove it to start it again.'
        : 'Set a later end date in the flow’s Start node, or choose this kind of trigger there again.'
  }
}
