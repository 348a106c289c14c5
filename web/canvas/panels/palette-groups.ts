/** How the palette groups the node types: by what a person builds with them. */
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

export interface PaletteGroup {
  /** Null where what was searched is listed by how well it matches. */
  heading: string | null
  definitions: readonly ComponentDefinition[]
}

const HEADINGS = ['Models and agents', 'Logic', 'Actions', 'Notes'] as const
type Heading = (typeof HEADINGS)[number]

/** Whatever is not named here does something: it is an action. */
const HEADING_OF: Readonly<Record<string, Heading>> = {
  llmAgentflow: 'Models and agents',
  agentAgentflow: 'Models and agents',
  startAgentflow: 'Logic',
  conditionAgentflow: 'Logic',
  conditionAgentAgentflow: 'Logic',
  humanInputAgentflow: 'Logic',
  loopAgentflow: 'Logic',
  iterationAgentflow: 'Logic',
  stickyNoteAgentflow: 'Notes',
}

/** The node types under their headings; of a search, what the label matches before what only the description does. */
export function paletteGroups(all: readonly ComponentDefinition[], query: string): PaletteGroup[] {
  const text = query.trim().toLowerCase()
  if (text !== '') return [{ heading: null, definitions: searched(all, text) }]
  return HEADINGS.map((heading) => ({
    heading,
    definitions: all.filter(({ name }) => (HEADING_OF[name] ?? 'Actions') === heading),
  })).filter(({ definitions }) => definitions.length > 0)
}

function searched(all: readonly ComponentDefinition[], query: string): ComponentDefinition[] {
  const inLabel = all.filter(({ label }) => label.toLowerCase().includes(query))
  const inText = all.filter((each) => !inLabel.includes(each) && each.description.toLowerCase().includes(query))
  return [...inLabel, ...inText]
}
