import type { ComponentDefinition } from '#contract/flow/definition.ts'

/** What the definitions of tools have in common. */
export function toolDefinition(
  parts: Pick<ComponentDefinition, 'label' | 'name' | 'type' | 'version' | 'description' | 'inputs' | 'credential'>,
): ComponentDefinition {
  return { ...parts, category: 'Tools', baseClasses: [parts.type, 'Tool', 'StructuredTool', 'Runnable'] }
}
