/** The inputs of a step that is run again, as JSON to edit. Pure. */

import { parseFlowData } from '#contract/chatflows.ts'
import { isRecord } from '#contract/json.ts'
import { HIDDEN } from '#contract/secrets.ts'

export type Inputs = Record<string, unknown>

/** A node's inputs as saved in a flow; undefined when the flow has no such node. */
export function savedInputs(flowData: string, nodeId: string): Inputs | undefined {
  const node = parseFlowData(flowData).nodes.find(({ id }) => id === nodeId)
  return node && { ...node.data.inputs }
}

/**
 * What a person may change: the saved inputs, with what really went in for those that held references. Settings that
 * name a credential or may hold a secret stay as saved, as the trace leaves these out.
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

/** The values that differ; undefined when none does. What was taken away stays as it was. */
export function changedInputs(before: Inputs, after: Inputs): Inputs | undefined {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** What an edited text changes of the inputs; undefined when nothing, or when it cannot be read. */
export function editedInputs(before: Inputs | undefined, text: string | undefined): Inputs | undefined {
  const read = text === undefined ? undefined : readInputs(text)
  return before && read && 'inputs' in read ? changedInputs(before, read.inputs) : undefined
}

/** The text as inputs, or what is wrong with it. */
export function readInputs(text: string): { inputs: Inputs } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { inputs: value } : { problem: 'Write a JSON object: { "input name": value }' }
  } catch (thrown) {
    return { problem: `This is not valid JSON: ${thrown instanceof Error ? thrown.message : 'check its brackets'}` }
  }
}
