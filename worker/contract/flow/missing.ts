/** Required inputs that are shown and empty, and inputs that no run supports: of a node, its arrays' items, the components it chose. */
import { isBlank } from './blank.ts'
import type { ComponentDefinition, InputParam } from './definition.ts'
import type { FlowNode } from './document.ts'
import { isConditionNode } from './kinds.ts'
import { type Inputs, isParam, isUsed, visibleParams } from './params.ts'
import type { NodeProblem } from './problems.ts'
import { CREDENTIAL_ID } from './save.ts'

type Definitions = ReadonlyMap<string, ComponentDefinition>

/** The parameters that a problem is looked for in, and how its text begins: `Messages 2: `. */
interface Place {
  params: readonly InputParam[]
  inputs: Inputs
  prefix: string
  /** The node's own parameter in which all this lies. */
  param?: string
}

export function missingInputs(
  node: FlowNode,
  definition: ComponentDefinition,
  definitions: Definitions,
): NodeProblem[] {
  const inputs = node.data.inputs ?? {}
  // A condition's items have alerts of their own.
  const declared = definition.inputs.filter((input) => !(isConditionNode(node.data) && input.array))
  const credentials = missingCredential(definition, node.data.credential || inputs[CREDENTIAL_ID])
  return [...credentials, ...missingIn({ params: declared, inputs, prefix: '' }, definitions)]
}

function missingIn(place: Place, definitions: Definitions): NodeProblem[] {
  const shown = visibleParams(place.params, place.inputs).filter((param) => isParam(param.type))
  return shown.flatMap((param) => [
    ...missing(param, place.inputs[param.name], place),
    ...unsupported(param, place.inputs[param.name], place),
    ...missingInItems(param, place, definitions),
    ...missingInChoice(param, place.inputs, { place, definitions }),
  ])
}

/** Empty is right where the declared default is empty, and a switch always has a side. */
function missing(
  param: InputParam,
  value: unknown,
  { prefix, param: outer }: Omit<Place, 'inputs' | 'params'>,
): NodeProblem[] {
  const mayBeEmpty = param.optional || param.type === 'boolean' || param.default === ''
  if (mayBeEmpty || !isBlank(value === undefined ? param.default : value)) return []
  return [{ issue: `${prefix}${param.label || param.name} is required`, param: outer ?? param.name, severity: 'error' }]
}

/** What a run would refuse. */
function unsupported(
  { label, name, options = [], ...param }: InputParam,
  value: unknown,
  { prefix, param: outer }: Omit<Place, 'inputs' | 'params'>,
): NodeProblem[] {
  const option = options.find((candidate) => candidate.name === value)
  if (!(param.unsupported && isUsed(value)) && !option?.unsupported) return []
  const what = option?.unsupported ? `${label} ${option.label}` : label
  return [{ issue: `${prefix}${what} is not supported yet`, param: outer ?? name, severity: 'error' }]
}

function missingInItems(param: InputParam, place: Place, definitions: Definitions): NodeProblem[] {
  const items = place.inputs[param.name]
  if (!param.array || !Array.isArray(items)) return []
  return items.flatMap((item: unknown, index) => {
    if (typeof item !== 'object' || item === null) return []
    const values = item as Record<string, unknown>
    const inside = {
      inputs: values,
      prefix: `${place.prefix}${param.label} ${index + 1}: `,
      param: place.param ?? param.name,
    }
    const shown = visibleParams(place.params, place.inputs, { array: param.name, index })
    return shown.flatMap((itemParam) => [
      ...missing(itemParam, values[itemParam.name], inside),
      ...unsupported(itemParam, values[itemParam.name], inside),
      ...missingInChoice(itemParam, values, { place: { ...inside, params: shown }, definitions }),
    ])
  })
}

/** A chosen model or tool must be there, have its credential and its own required inputs. */
function missingInChoice(
  param: InputParam,
  inputs: Inputs,
  { place, definitions }: { place: Place; definitions: Definitions },
): NodeProblem[] {
  const chosen = inputs[param.name]
  if (!param.loadConfig || typeof chosen !== 'string' || chosen === '') return []
  const outer = place.param ?? param.name
  const component = definitions.get(chosen)
  if (!component) {
    return [{ issue: `${place.prefix}${param.label} ${chosen} is not available here`, param: outer, severity: 'error' }]
  }
  const config = configOf(inputs[`${param.name}Config`])
  const prefix = `${place.prefix}${component.label}: `
  const credentials = missingCredential(component, config[CREDENTIAL_ID], { prefix, param: outer })
  const params = component.inputs
  return [...credentials, ...missingIn({ params, inputs: config, prefix, param: outer }, definitions)]
}

function missingCredential(
  { credential }: ComponentDefinition,
  chosen: unknown,
  { prefix = '', param = 'credential' } = {},
): NodeProblem[] {
  if (!credential || credential.optional || !isBlank(chosen)) return []
  return [{ issue: `${prefix}Credential is required`, param, severity: 'error' }]
}

function configOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
