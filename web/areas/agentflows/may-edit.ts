import { useCan } from '#web/api/use-can.ts'

/** Whether the person may save, publish and describe agent flows; others look at them and chat. */
export const useMayEdit = (): boolean => useCan()('agentflows:create,agentflows:update')
