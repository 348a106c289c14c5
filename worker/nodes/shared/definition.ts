/** What all agent flow nodes have alike in their definitions. */
import type { ComponentDefinition } from '#contract/flow/definition.ts'
import { AGENT_FLOWS } from '#contract/flow/kinds.ts'

type Own = Omit<ComponentDefinition, 'category' | 'baseClasses'>

export function agentflowNode(own: Own): ComponentDefinition {
  return { ...own, category: AGENT_FLOWS, baseClasses: [own.type] }
}
