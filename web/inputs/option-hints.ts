/** What a list of choices depends on, and what is said where it has none. Pure. */

import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { isBlank } from '#contract/flow/params/blank.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { type Inputs, visibleParams } from '#contract/flow/params/params.ts'

const CHOICES = new Set(['options', 'asyncOptions', 'asyncMultiOptions', 'credential', 'boolean', 'file'])

type FindComponent = (name: string) => ComponentDefinition | undefined

/**
 * The values that are chosen rather than typed, those of chosen components included: a change of one loads a list anew.
 * Lists of the same form that are loaded themselves do not count.
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

/** A file is told apart by its length and its end, which has its name. */
const shortly = (value: unknown): unknown =>
  typeof value === 'string' && value.length > 500 ? `${value.length} ${value.slice(-200)}` : value

/** The first input that the list depends on and that is empty. */
export function missingLabel(of: InputParam, params: readonly InputParam[], inputs: Inputs): string | undefined {
  return visibleParams(params, inputs).find(
    (param) =>
      param.name !== of.name && !param.optional && !param.refresh && isBlank(inputs[param.name] ?? param.default),
  )?.label
}

const EMPTY: Record<string, string> = {
  listStores: 'There is no document store in this workspace yet.',
  listRuntimeStateKeys: 'The flow has no state yet: add it to the Start node, under “Flow State”.',
  listPreviousNodes: 'No node leads here yet: connect those that are to run again first.',
  listFlows: 'There is no other flow in this workspace yet.',
  listChatflows: 'There is no other flow in this workspace yet.',
  listAgentflows: 'There is no other agent flow in this workspace yet.',
  listToolInputArgs: 'This tool takes no arguments.',
  listActions: 'The server offers no tools.',
}

/** Why a list has no choices, and what to do about it. */
export const emptyText = ({ loadMethod }: InputParam): string =>
  EMPTY[loadMethod ?? ''] ?? 'There is nothing to choose from yet.'
