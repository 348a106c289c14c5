/** Custom assistants of a file and the flows that they run as. Pure. */

import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { BundleRow } from '#contract/export-import/export-import.ts'
import { serializeFlow } from '#contract/flow/document/serialize.ts'
import { customDetailsSchema } from '#contract/flow/kinds/assistant/details.ts'
import { drawAssistant } from '#contract/flow/kinds/assistant/draw.ts'
import { assistantFacts } from '#contract/flow/kinds/assistant/facts.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { ImportPlan, PlannedFlow } from './planned.ts'

type PlannedAssistant = ImportPlan['assistants'][number]

/** Returns the id of the flow that an assistant of Flowise runs as; here it is the assistant's own. */
export function parseFlowId(details: BundleRow['details']): string | undefined {
  const read = typeof details === 'string' ? tryParseJson(details) : details
  return isRecord(read) && typeof read.flowId === 'string' && read.flowId !== '' ? read.flowId : undefined
}

interface Drawing {
  flows: PlannedFlow[]
  /** The ids of flows that the workspace has. */
  present: ReadonlyMap<string, unknown>
  components: readonly ComponentDefinition[]
}

/**
 * Draws the flow of each custom assistant anew, as a save does. One whose details cannot be drawn keeps the flow of the
 * file, or gets an empty one, so that a person can complete it.
 */
export function drawAssistants(
  assistants: PlannedAssistant[],
  { flows, present, components }: Drawing,
): { assistants: PlannedAssistant[]; flows: PlannedFlow[] } {
  const byId = new Map(flows.map((flow) => [flow.id, flow]))
  const drawn = assistants.map((assistant) => {
    if (assistant.type !== 'CUSTOM') return assistant
    const { id } = assistant
    const details = tryParseJson(assistant.details) as Record<string, unknown>
    const read = customDetailsSchema.safeParse(details)
    const document = read.success ? serializeFlow(drawAssistant(read.data, components)) : { nodes: [], edges: [] }
    const known = byId.get(id)
    const fresh: PlannedFlow = {
      ...{ id, name: nameOf(details), type: assistantFacts.type, access: known?.access ?? NEW_ACCESS },
      flowData: known && !read.success ? known.flowData : JSON.stringify(document),
      key: known?.key,
      sources: known?.sources ?? [],
      isReplacing: present.has(id) && assistant.isReplacing,
    }
    byId.set(id, fresh)
    return { ...assistant, details: JSON.stringify({ ...(read.success ? read.data : details), flowId: id }) }
  })
  return { assistants: drawn, flows: [...byId.values()] }
}

const NEW_ACCESS = { callers: 'keys', chatbotConfig: null, apiConfig: null } as const

const nameOf = ({ name }: Record<string, unknown>) =>
  typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 200) : 'Assistant'
