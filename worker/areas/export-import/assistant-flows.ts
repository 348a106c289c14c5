/** The flows that imported custom assistants run as. Pure. */
import { serializeFlow } from '#contract/flow/document/serialize.ts'
import { readCustomDetails } from '#contract/flow/kinds/assistant/details.ts'
import { drawAssistant } from '#contract/flow/kinds/assistant/draw.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

interface Planned {
  assistants: readonly { id: string; type: string; details: string; isReplacing: boolean }[]
  flows: readonly { id: string }[]
}

/** Draws the flows of assistants whose file has none with their id: files of Flowise have chat flows with other ids. */
export function drawnFlows({ assistants, flows }: Planned, components: readonly ComponentDefinition[]) {
  const drawn = new Set(flows.map(({ id }) => id))
  return assistants
    .filter(({ type, id }) => type === 'CUSTOM' && !drawn.has(id))
    .map(({ id, details: text, isReplacing }) => {
      const details = readCustomDetails(text)
      const flowData = JSON.stringify(serializeFlow(drawAssistant(details, components)))
      return { id, name: details.name, type: 'ASSISTANT' as const, flowData, callers: 'keys' as const, isReplacing }
    })
}
