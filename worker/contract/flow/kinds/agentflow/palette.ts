/** The palette of agent flows groups node types by their purpose. */
import { AGENT_FLOWS } from './nodes.ts'

const HEADINGS = ['Models and agents', 'Logic', 'Actions', 'Notes'] as const

/** Node types that are not listed are actions. */
const HEADING_OF: Readonly<Record<string, (typeof HEADINGS)[number]>> = {
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

export const palette = {
  headings: HEADINGS,
  headingOf({ name, category }: { name: string; category: string }): string | undefined {
    return category === AGENT_FLOWS ? (HEADING_OF[name] ?? 'Actions') : undefined
  },
}
