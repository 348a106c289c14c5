/** Permissions of triggers, which follow from the type of their flow. */
import { flowPermissions } from '#contract/access/callers.ts'
import { FLOW_TYPES } from '#contract/flow/flow-types.ts'
import type { Trigger } from '#contract/triggers/index.ts'
import { useCan } from '../../api/use-can.ts'

export function useCanChange(): (trigger: Pick<Trigger, 'flow'>) => boolean {
  const can = useCan()
  return ({ flow }) => can(flowPermissions([flow.type], 'update'))
}

export function useCanCreate(): boolean {
  return useCan()(flowPermissions(FLOW_TYPES, 'update'))
}

/** Returns true when the user can view triggers of at least one type of flow. */
export function useCanViewTriggers(): boolean {
  return useCan()(flowPermissions(FLOW_TYPES, 'view', 'update'))
}
