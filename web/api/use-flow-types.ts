import { CANVAS_TYPES, type CanvasFlowType, KIND_FACTS } from '#contract/flow/kinds/facts.ts'
import { flowListLink } from './flow-link.ts'
import { useCan } from './use-can.ts'

/** Returns the types of flows, of those that are drawn on a canvas, with which the viewer may do this. */
export function useFlowTypes(verb: 'view' | 'create'): CanvasFlowType[] {
  const can = useCan()
  return CANVAS_TYPES.filter((type) => can(`${KIND_FACTS[type].permissions}:${verb}`))
}

/** Returns the links to the lists of flows that the viewer may see: `All agent flows`. */
export const useFlowLists = () =>
  useFlowTypes('view').map((type) => ({ text: `All ${flowNoun(type)}s`, link: flowListLink(type) }))

/** Returns the name of a kind within texts for people, singular: `agent flow`. */
export const flowNoun = (type: CanvasFlowType): string => KIND_FACTS[type].label.toLowerCase()
