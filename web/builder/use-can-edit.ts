import { flowPermissions } from '#contract/access/callers.ts'
import { describePermissions } from '#contract/access/permissions.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import { useCan } from '../api/use-can.ts'

type Kind = Pick<FlowKind, 'type'>

/** Returns true when the person may save, publish and describe flows of this kind. Others may view and chat. */
export const useCanEdit = ({ type }: Kind): boolean => useCan()(flowPermissions([type], 'create', 'update'))

/** The reason, for people who may not edit. */
export const viewOnlyText = ({ type }: Kind): string =>
  `You need the permission ${describePermissions(flowPermissions([type], 'update'))} to change this flow. You can view it and chat with it.`
