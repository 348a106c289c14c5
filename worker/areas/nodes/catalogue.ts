/** All that the canvas can place or choose: node types, chat models, tools. The same for everybody until the next deployment. */
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'

let byName: ReadonlyMap<string, ComponentDefinition> | undefined

export function definitionsByName(): ReadonlyMap<string, ComponentDefinition> {
  byName ??= new Map(componentDefinitions().map((definition) => [definition.name, definition]))
  return byName
}

export const MODEL_CATEGORY = 'Chat Models'
export const TOOL_CATEGORIES = ['Tools', 'Tools (MCP)']

export function definitions(): ComponentDefinition[] {
  return [...definitionsByName().values()]
}

export function definitionsIn(category: string): ComponentDefinition[] {
  return definitions().filter((definition) => definition.category === category)
}
