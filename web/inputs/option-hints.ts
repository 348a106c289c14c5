/** Dependencies and empty-state hints of loaded options. Pure. */

import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { isBlank } from '#contract/flow/params/blank.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { type Inputs, visibleParams } from '#contract/flow/params/params.ts'

const CHOICES = new Set(['options', 'asyncOptions', 'asyncMultiOptions', 'credential', 'boolean', 'file'])

type FindComponent = (name: string) => ComponentDefinition | undefined

/**
 * Returns the chosen values, including those of component settings. A change reloads the options. Loaded lists of
 * the same form are excluded.
 */
export function choicesOf(params: readonly InputParam[], inputs: Inputs, component: FindComponent): unknown[] {
  return params
    .filter((param) => CHOICES.has(param.type) && !param.refresh)
    .flatMap((param) => [shortly(inputs[param.name]), ...configChoices(param, inputs, component)])
}

function configChoices({ name, loadConfig }: InputParam, inputs: Inputs, component: FindComponent): unknown[] {
  const [chosen, config] = [inputs[name], inputs[`${name}Config`]]
  const definition = loadConfig && typeof chosen === 'string' ? component(chosen) : undefined
  if (!definition || typeof config !== 'object' || config === null) return []
  const values = config as Inputs
  const inside = definition.inputs.map((param) => ({ ...param, refresh: false }))
  return [values[CREDENTIAL_ID], ...choicesOf(inside, values, component)]
}

/** Shortens long values to their length and end, which has the file name. */
const shortly = (value: unknown): unknown =>
  typeof value === 'string' && value.length > 500 ? `${value.length} ${value.slice(-200)}` : value

/** Returns the label of the first empty input that the list depends on. */
export function missingLabel(of: InputParam, params: readonly InputParam[], inputs: Inputs): string | undefined {
  return visibleParams(params, inputs).find(
    (param) =>
      param.name !== of.name && !param.optional && !param.refresh && isBlank(inputs[param.name] ?? param.default),
  )?.label
}

const EMPTY: Record<string, string> = {
  listStores:
    'There are no document stores in this workspace yet. Create one, add a loader and process it: then it is listed here.',
  listRuntimeStateKeys: 'No flow state yet. Add it to the Start node under “Flow state”.',
  listPreviousNodes: 'No previous nodes yet. Connect the nodes to run again first.',
  listFlows: 'No other flows in this workspace yet.',
  listChatflows: 'No other flows in this workspace yet.',
  listAgentflows: 'No other agent flows in this workspace yet.',
  listToolInputArgs: 'This tool takes no arguments.',
  listActions: 'The server has no tools.',
  listRoles: 'There are no roles here, so only admins can answer.',
}

/** Explains why a list is empty and what to do. */
export const emptyText = ({ loadMethod }: InputParam): string => EMPTY[loadMethod ?? ''] ?? 'No options yet.'

/** Says of a chosen value that the list no longer has it. */
export const goneText = ({ loadMethod }: InputParam): string =>
  loadMethod === 'listRoles' ? 'removed: only admins can answer' : 'not available'
