import { useCan } from '#web/api/use-can.ts'

/** Whether the person may save, publish and describe agent flows; others look at them and chat. */
export const useCanEdit = (): boolean => useCan()('agentflows:create,agentflows:update')

/** Why, to those who may not. */
export const VIEW_ONLY =
  'You need the permission agentflows:update to change this flow. You may look at it and chat with it.'
