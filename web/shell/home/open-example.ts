/** Creates the flow of an example, for which the canvas opens with its chat. */
import { drawFlow } from '#contract/flow/document/draw.ts'
import { serializeFlow } from '#contract/flow/document/serialize.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { loadComponents } from '../../api/components.ts'
import { createFlow } from '../../api/flows.ts'
import type { Example } from './examples.ts'

/** Returns the id of the new flow. Throws ApiError. */
export async function createExample({ name, drawing }: Example): Promise<string> {
  const flow = drawFlow(drawing, await loadComponents(), agentflow)
  const { id } = await createFlow({ name, flowData: JSON.stringify(serializeFlow(flow)), type: 'AGENTFLOW' })
  return id
}
