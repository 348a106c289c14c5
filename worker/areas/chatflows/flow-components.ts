/** The components of a flow: enough to draw it, in a fraction of the catalogue. */
import { isObject, tryParseJson } from '#contract/data/json.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { findComponent } from '../../nodes/catalogue.ts'

/** Returns every component whose name stands in the flow: its node types, and what their inputs choose. */
export function flowComponents({ nodes }: Pick<FlowDocument, 'nodes'>): ComponentDefinition[] {
  const found = new Set<ComponentDefinition>()
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      const component = findComponent(value)
      if (component) found.add(component)
      // Multiple choices are stored as the JSON text of a list.
      else if (value.startsWith('[')) [tryParseJson(value)].flat().filter(isText).forEach(look)
    } else if (isObject(value)) Object.values(value).forEach(look)
  }
  for (const { data } of nodes) look([data.name, data.inputs])
  return [...found]
}

const isText = (value: unknown) => typeof value === 'string' && !value.startsWith('[')
