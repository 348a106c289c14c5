/** Whose flow it is says which permission a trigger asks for. */
import type { Trigger } from '#contract/triggers/index.ts'
import { useCan } from '../../api/use-can.ts'

export function useCanChange(): (trigger: Pick<Trigger, 'flow'>) => boolean {
  const can = useCan()
  return ({ flow }) => can(flow.type === 'AGENTFLOW' ? 'agentflows:update' : 'chatflows:update')
}

export function useCanCreate(): boolean {
  return useCan()('agentflows:update,chatflows:update')
}

/** Whether any trigger can be seen: those of the flows that the person may look at. */
export function useMaySee(): boolean {
  return useCan()('agentflows:view,agentflows:update,chatflows:view,chatflows:update')
}
