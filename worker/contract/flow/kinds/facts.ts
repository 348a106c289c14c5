/** The facts of each kind, by flow type. Lists of kinds are in this order. */
import type { FlowType } from '../flow-types.ts'
import { agentflowFacts } from './agentflow/facts.ts'
import { assistantFacts } from './assistant/facts.ts'
import { chatflowFacts, multiagentFacts } from './chatflow/facts.ts'
import type { KindFacts } from './kind-facts.ts'

export const KIND_FACTS = {
  AGENTFLOW: agentflowFacts,
  CHATFLOW: chatflowFacts,
  MULTIAGENT: multiagentFacts,
  ASSISTANT: assistantFacts,
} as const satisfies Record<FlowType, KindFacts>

type FactsOfTypes = typeof KIND_FACTS

/** The types of flows that people draw on a canvas. */
export type CanvasFlowType = {
  [Type in FlowType]: FactsOfTypes[Type]['editor'] extends 'canvas' ? Type : never
}[FlowType]

export const factsOf = (type: FlowType): KindFacts => KIND_FACTS[type]

export const isCanvasType = (type: FlowType): type is CanvasFlowType => factsOf(type).editor === 'canvas'

export const CANVAS_TYPES: readonly CanvasFlowType[] = (Object.keys(KIND_FACTS) as FlowType[]).filter(isCanvasType)
