/** Inputs of a replayed step as editable JSON. Pure. */

import { parseFlowData } from '#contract/chatflows/chatflows.ts'
import { isRecord } from '#contract/data/json.ts'
import { HIDDEN } from '#contract/data/secrets.ts'
import { asSentence } from '../ui/forms/form-errors.ts'

export type Inputs = Record<string, unknown>

/** Returns a node's saved inputs; undefined when the flow has no such node. */
export function savedInputs(flowData: string, nodeId: string): Inputs | undefined {
  const node = parseFlowData(flowData).nodes.find(({ id }) => id === nodeId)
  return node && { ...node.data.inputs }
}

/**
 * Returns the saved inputs with references resolved as in the run. Settings with credentials or secrets stay as
 * saved, because the trace omits them.
 */
export function editableInputs(saved: Inputs, shown: unknown): Inputs {
  const resolved = isRecord(shown) ? shown : {}
  const shows = (name: string, value: unknown) =>
    Object.hasOwn(resolved, name) &&
    !JSON.stringify(value ?? null).includes('FLOWISE_CREDENTIAL_ID') &&
    !JSON.stringify(resolved[name] ?? null).includes(HIDDEN)
  return Object.fromEntries(
    Object.entries(saved).map(([name, value]) => [name, shows(name, value) ? resolved[name] : value]),
  )
}

/** Returns the changed values; undefined when there are none. Removed values keep their saved value. */
export function changedInputs(before: Inputs, after: Inputs): Inputs | undefined {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** Returns the inputs that an edited text changes; undefined when there are none or the text is invalid. */
export function editedInputs(before: Inputs | undefined, text: string | undefined): Inputs | undefined {
  const read = text === undefined ? undefined : readInputs(text)
  return before && read && 'inputs' in read ? changedInputs(before, read.inputs) : undefined
}

/** Parses the text as inputs, or returns the problem. */
export function readInputs(text: string): { inputs: Inputs } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { inputs: value } : { problem: 'Enter a JSON object, such as {"name": "Ann"}.' }
  } catch (error) {
    return { problem: asSentence(`Invalid JSON: ${error instanceof Error ? error.message : 'check the brackets'}`) }
  }
}
