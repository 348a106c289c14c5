/** Adds the fields that all agent flow nodes share. */

import { AGENT_FLOWS } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

type DefinitionFields = Omit<ComponentDefinition, 'category' | 'baseClasses'>

export function agentflowNode(own: DefinitionFields): ComponentDefinition {
  return { ...own, category: AGENT_FLOWS, baseClasses: [own.type] }
}
