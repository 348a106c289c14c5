/** Adds the fields that all agent flow nodes share. */

import { AGENT_FLOWS } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

type Own = Omit<ComponentDefinition, 'category' | 'baseClasses'>

export function agentflowNode(own: Own): ComponentDefinition {
  return { ...own, category: AGENT_FLOWS, baseClasses: [own.type] }
}
