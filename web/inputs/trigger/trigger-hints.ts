/** What a person can do about a trigger that is not active. Pure. */
import type { Trigger } from '#contract/triggers/index.ts'

type Standing = Pick<Trigger, 'state' | 'nodeId' | 'kind' | 'failuresInRow'>

export function triggerHint({ state, nodeId, kind, failuresInRow }: Standing): string | null {
  switch (state) {
    case 'active':
      return null
    case 'paused':
      return kind === 'schedule'
        ? 'It starts no runs until you resume it.'
        : 'Requests to its address are refused until you resume it.'
    case 'failing':
      return `It paused itself after ${failuresInRow} failures in a row. Look at what failed, correct the flow, then resume it.`
    case 'ended':
      return nodeId === null
        ? 'Set a later last day, or none, to start it again.'
        : 'Set a later last day, or choose it again as the Input Type of the flow’s Start node.'
  }
}
