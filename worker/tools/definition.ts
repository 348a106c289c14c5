import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

/** Adds the fields that all tool definitions share. */
export function toolDefinition(
  parts: Pick<
    ComponentDefinition,
    'label' | 'name' | 'type' | 'version' | 'description' | 'hint' | 'inputs' | 'credential'
  >,
): ComponentDefinition {
  return { ...parts, category: 'Tools', baseClasses: [parts.type, 'Tool', 'StructuredTool', 'Runnable'] }
}

/** Converts a text to a valid tool name: letters, digits, `_`, `-`. */
export function toolName(written: string): string {
  return (
    written
      .trim()
      .toLowerCase()
      .replace(/\s+/g, '_')
      .replace(/[^a-z0-9_-]/g, '')
      .slice(0, 64) || 'tool'
  )
}

/** Returns the values of a multi-select, stored as a list or as its JSON. */
export function choices(value: unknown): string[] {
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value || '[]') : value
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    return []
  }
}
