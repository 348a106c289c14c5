/**
 * Reports visible required inputs that are empty, and unsupported values: of a node, its arrays' items, and its
 * components.
 */

import type { FlowNode } from '../document/document.ts'
import { CREDENTIAL_ID, SECRET_TYPES } from '../document/serialize.ts'
import type { CheckedFlowKind } from '../kinds/types.ts'
import { isBlank } from '../params/blank.ts'
import type { ComponentDefinition, InputParam } from '../params/definition.ts'
import {
  type Inputs,
  isChoiceOfInstallation,
  isParam,
  unsupportedUse,
  visibleParams,
  withFormerNames,
} from '../params/params.ts'
import type { NodeProblem } from './problem.ts'

/** The ids of the workspace's own tools and MCP servers. Nothing is said about a kind whose ids are not known. */
export interface OwnAssets {
  tool?: ReadonlySet<string> | undefined
  mcpServer?: ReadonlySet<string> | undefined
}

/** The available components, and the flow's id. */
export interface CheckContext {
  definitions: ReadonlyMap<string, ComponentDefinition>
  flowId?: string | undefined
  kind: CheckedFlowKind
  own?: OwnAssets | undefined
}

/** The parameters to check, and the prefix of a problem: `Messages 2: `. */
interface InputsPlace {
  params: readonly InputParam[]
  inputs: Inputs
  prefix: string
  /** The node's parameter that contains all of this. */
  param?: string
}

export function requiredInputProblems(
  node: FlowNode,
  definition: ComponentDefinition,
  known: CheckContext,
): NodeProblem[] {
  const inputs = withFormerNames(definition.inputs, node.data.inputs ?? {})
  const declared = definition.inputs.filter((input) => !known.kind.checksInput(node, input))
  const credentials = missingCredential(definition, node.data.credential || inputs[CREDENTIAL_ID])
  return [...credentials, ...missingIn({ params: declared, inputs, prefix: '' }, known)]
}

function missingIn(place: InputsPlace, known: CheckContext): NodeProblem[] {
  const shown = visibleParams(place.params, place.inputs).filter((param) => isParam(param.type))
  return shown.flatMap((param) => [
    ...missing(param, place.inputs[param.name], place),
    ...unsupported(param, place.inputs[param.name], place),
    ...ownFlow(param, place.inputs[param.name], { place, known }),
    ...deleted(param, place.inputs[param.name], { place, known }),
    ...missingInItems(param, place, known),
    ...missingInChoice(param, place.inputs, { place, known }),
  ])
}

/** Empty is valid where the declared default is empty; a switch always has a value. */
function missing(
  param: InputParam,
  value: unknown,
  { prefix, param: outer }: Omit<InputsPlace, 'inputs' | 'params'>,
): NodeProblem[] {
  const mayBeEmpty = param.optional || param.type === 'boolean' || param.default === ''
  if (mayBeEmpty || !isBlank(value === undefined ? param.default : value)) return []
  const issue = `${prefix}${param.label || param.name} is required`
  const needsPerson = SECRET_TYPES.has(param.type) || isChoiceOfInstallation(param)
  return [{ issue, param: outer ?? param.name, severity: 'error', ...(needsPerson ? { needsPerson } : {}) }]
}

/** Returns what a run would reject. */
function unsupported(
  param: InputParam,
  value: unknown,
  { prefix, param: outer }: Omit<InputsPlace, 'inputs' | 'params'>,
): NodeProblem[] {
  const why = unsupportedUse(param, value)
  return why ? [{ issue: `${prefix}${why}`, param: outer ?? param.name, severity: 'error' }] : []
}

function ownFlow(
  param: InputParam,
  value: unknown,
  {
    place: { prefix, param: outer },
    known: { flowId },
  }: { place: Omit<InputsPlace, 'inputs' | 'params'>; known: CheckContext },
): NodeProblem[] {
  if (flowId === undefined || value !== flowId || !isChoiceOfInstallation(param)) return []
  const issue = `${prefix}${param.label} is this flow, which would call itself without end. Choose another one`
  return [{ issue, param: outer ?? param.name, severity: 'error' }]
}

const OWN_CHOICES: ReadonlyMap<string, { kind: keyof OwnAssets; noun: string }> = new Map([
  ['selectedTool', { kind: 'tool', noun: 'tool' }],
  ['mcpServerId', { kind: 'mcpServer', noun: 'MCP server' }],
])

function deleted(
  param: InputParam,
  value: unknown,
  {
    place: { prefix, param: outer },
    known: { own },
  }: { place: Omit<InputsPlace, 'inputs' | 'params'>; known: CheckContext },
): NodeProblem[] {
  const choice = isChoiceOfInstallation(param) ? OWN_CHOICES.get(param.name) : undefined
  const ids = choice && own?.[choice.kind]
  if (!ids || typeof value !== 'string' || value === '' || value.includes('{{') || ids.has(value)) return []
  const issue = `${prefix}The chosen ${choice.noun} no longer exists. Choose another one`
  return [{ issue, param: outer ?? param.name, severity: 'error', needsPerson: true }]
}

function missingInItems(param: InputParam, place: InputsPlace, known: CheckContext): NodeProblem[] {
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
      ...ownFlow(itemParam, values[itemParam.name], { place: inside, known }),
      ...deleted(itemParam, values[itemParam.name], { place: inside, known }),
      ...missingInChoice(itemParam, values, { place: { ...inside, params: shown }, known }),
    ])
  })
}

/** A chosen model or tool must exist, and have its credential and required inputs. */
function missingInChoice(
  param: InputParam,
  inputs: Inputs,
  { place, known }: { place: InputsPlace; known: CheckContext },
): NodeProblem[] {
  const chosen = inputs[param.name]
  if (!param.loadConfig || typeof chosen !== 'string' || chosen === '') return []
  const outer = place.param ?? param.name
  const component = known.definitions.get(chosen)
  if (!component) {
    return [{ issue: `${place.prefix}${param.label} ${chosen} is not available here`, param: outer, severity: 'error' }]
  }
  const config = configOf(inputs[`${param.name}Config`])
  const prefix = `${place.prefix}${shortLabel(component)}: `
  const credentials = missingCredential(component, config[CREDENTIAL_ID], { prefix, param: outer })
  const params = component.inputs
  return [...credentials, ...missingIn({ params, inputs: config, prefix, param: outer }, known)]
}

/** "OpenAI compatible (Ollama, vLLM, LM Studio...)" → "OpenAI compatible" */
const shortLabel = ({ label }: ComponentDefinition): string => label.split(' (', 1)[0] ?? label

function missingCredential(
  { credential }: ComponentDefinition,
  chosen: unknown,
  { prefix = '', param = 'credential' } = {},
): NodeProblem[] {
  if (!credential || credential.optional || !isBlank(chosen)) return []
  return [{ issue: `${prefix}Credential is required`, param, severity: 'error', needsPerson: true }]
}

function configOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
