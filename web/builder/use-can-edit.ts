import { useCan } from '../api/use-can.ts'
import type { CanvasKind } from '../canvas/kinds/types.ts'

type Kind = Pick<CanvasKind, 'permissions'>

/** Returns true when the person may save, publish and describe flows of this kind. Others may view and chat. */
export const useCanEdit = ({ permissions }: Kind): boolean => useCan()(`${permissions}:create,${permissions}:update`)

/** The reason, for people who may not edit. */
export const viewOnlyText = ({ permissions }: Kind): string =>
  `You need the permission ${permissions}:update to change this flow. You can view it and chat with it.`
