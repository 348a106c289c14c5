/** Groups of the palette. */

import type { FlowKind } from '#contract/flow/kinds/types.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

interface PaletteGroup {
  /** Null for search results, which are sorted by relevance. */
  heading: string | null
  definitions: readonly ComponentDefinition[]
}

/** Returns the kind's node types under their headings; for a search, matches in labels before matches in descriptions. */
export function paletteGroups(
  { headings, headingOf }: FlowKind['palette'],
  definitions: readonly ComponentDefinition[],
  query: string,
): PaletteGroup[] {
  const all = definitions.filter((definition) => headingOf(definition) !== undefined)
  const text = query.trim().toLowerCase()
  if (text !== '') return [{ heading: null, definitions: search(all, text) }]
  return headings
    .map((heading) => ({ heading, definitions: all.filter((definition) => headingOf(definition) === heading) }))
    .filter((group) => group.definitions.length > 0)
}

function search(all: readonly ComponentDefinition[], query: string): ComponentDefinition[] {
  const inLabel = all.filter(({ label }) => label.toLowerCase().includes(query))
  const inText = all.filter((each) => !inLabel.includes(each) && each.description.toLowerCase().includes(query))
  return [...inLabel, ...inText]
}
