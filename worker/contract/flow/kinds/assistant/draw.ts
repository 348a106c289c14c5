import type { FlowDocument } from '../../document/document.ts'
import { drawFlow } from '../../document/draw.ts'
import type { ComponentDefinition } from '../../params/definition.ts'
import { AGENT, START } from '../agentflow/nodes.ts'
import { type CustomDetails, toAgentInputs } from './details.ts'
import { assistant } from './kind.ts'

/** Callers override inputs by this label, so it does not change with the assistant's name. */
const LABEL = 'Assistant'

/** Returns the flow that the assistant runs as. */
export function drawAssistant(details: CustomDetails, definitions: readonly ComponentDefinition[]): FlowDocument {
  const agent = { name: AGENT, label: LABEL, inputs: toAgentInputs(details) }
  return drawFlow({ parts: [{ name: START }, agent] }, definitions, assistant)
}
