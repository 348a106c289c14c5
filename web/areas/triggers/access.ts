/** Permissions of triggers, which follow from the type of their flow. */
import type { Trigger } from '#contract/triggers/index.ts'
import { useCan } from '../../api/use-can.ts'

export function useCanChange(): (trigger: Pick<Trigger, 'flow'>) => boolean {
  const can = useCan()
  return ({ flow }) => can(flow.type === 'AGENTFLOW' ? 'agentflows:update' : 'chatflows:update')
}

export function useCanCreate(): boolean {
  return useCan()('agentflows:update,chatflows:update')
}

/** Returns true when the user can view triggers of at least one type of flow. */
export function useCanViewTriggers(): boolean {
  return useCan()('agentflows:view,agentflows:update,chatflows:view,chatflows:update')
}
