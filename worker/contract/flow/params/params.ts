/** Parameters of a node, and which of them are visible (compat 1.3, 1.7). */

import { parseFencedJson } from '../../data/json.ts'
import type { NodeData } from '../document/document.ts'
import { parsePath, readPath } from '../document/path.ts'
import { isBlank } from './blank.ts'
import type { ComponentDefinition, Conditions, InputParam, ParamOption } from './definition.ts'

type StoredParam = NonNullable<NodeData['inputParams']>[number] & { id: string }

export type Inputs = Readonly<Record<string, unknown>>

const PARAM_TYPES = new Set([
  'asyncOptions',
  'asyncMultiOptions',
  'options',
  'multiOptions',
  'array',
  'datagrid',
  'string',
  'number',
  'boolean',
  'password',
  'json',
  'code',
  'date',
  'file',
  'folder',
  'tabs',
  'conditionFunction',
  'timePicker',
  'weekDaysPicker',
  'monthDaysPicker',
  'datePicker',
  'credential',
])

/** Methods that list objects of one workspace: a choice is not valid in another one. */
const LISTS_OF_INSTALLATION = new Set([
  'listFlows',
  'listChatflows',
  'listAgentflows',
  'listStores',
  'listCustomTools',
  'listAssistants',
])

/** The servers of an OpenAPI document, which `listServers` lists too, are the same everywhere. */
export function isChoiceOfInstallation({ name, loadMethod }: InputParam): boolean {
  return LISTS_OF_INSTALLATION.has(loadMethod ?? '') || (loadMethod === 'listServers' && name === 'mcpServerId')
}

/** Returns true when a person sets this input on the node. Any other type is a class name and an anchor for edges. */
export function isParam(type: string): boolean {
  return PARAM_TYPES.has(type)
}

export function componentsByName(components: Iterable<ComponentDefinition>): Map<string, ComponentDefinition> {
  return new Map([...components].map((component) => [component.name, component]))
}

/** Returns a node's parameters as its file declares them. */
export function paramsOf(node: { data: Pick<NodeData, 'inputParams'> }): InputParam[] {
  return (node.data.inputParams ?? []) as unknown as InputParam[]
}

/** Returns the same parameters as a node's data contains them. */
export function storedParams(params: InputParam[]): StoredParam[] {
  return params as unknown as StoredParam[]
}

/** Where a condition is read: the parameters with their defaults, the values, and the item when inside an array. */
interface ParamScope {
  params: readonly InputParam[]
  inputs: Inputs
  /** Replaces `$index`. */
  index?: number
}

/** Returns true when the rules of a parameter (or of one of its options) make it visible. */
export function isVisible(rules: { show?: Conditions; hide?: Conditions }, scope: ParamScope): boolean {
  if (rules.show && !allHold(rules.show, scope)) return false
  return !(rules.hide && Object.keys(rules.hide).length > 0 && allHold(rules.hide, scope))
}

/** Returns the visible parameters; with `at`, those of one item of an array parameter. */
export function visibleParams(
  params: readonly InputParam[],
  inputs: Inputs,
  at?: { array: string; index: number },
): InputParam[] {
  if (!at) return params.filter((param) => isVisible(param, { params, inputs }))
  const scope = { params, inputs, index: at.index }
  const array = params.find((param) => param.name === at.array && param.array && isVisible(param, { params, inputs }))
  return (array?.array ?? []).filter((param) => isVisible(param, scope))
}

export function visibleOptions(param: InputParam, scope: ParamScope): ParamOption[] {
  return (param.options ?? []).filter((option) => isVisible(option, scope))
}

/** Returns how this component, as it is used here, differs from the same component in Flowise. */
export function hintsOf({ hint, inputs: params }: ComponentDefinition, inputs: Inputs): string[] {
  return [hint, ...visibleParams(params, inputs).map((param) => param.hint)].filter((text) => text !== undefined)
}

/** Returns true when the parameter's value is JSON text. */
export function holdsJson(param: InputParam, scope: ParamScope): boolean {
  const { holdsJson: declared = param.type === 'json' || param.codeLanguage === 'json' } = param
  return typeof declared === 'boolean' ? declared : isVisible({ show: declared }, scope)
}

/** Returns the parameters to offer: legacy and unsupported ones only while they have a value. */
export function offeredParams(params: readonly InputParam[], inputs: Inputs): InputParam[] {
  return params.filter((param) => !(param.unsupported || param.legacy) || isUsed(inputs[param.name]))
}

/** Returns true when a value has an effect, unlike a switch that is off or the JSON text of an empty list. */
export const isUsed = (value: unknown): boolean => value !== false && value !== '[]' && !isBlank(value)

/**
 * Returns a sentence about an unsupported part of a value: a feature, a choice, a key of its JSON. Undefined when there
 * is none.
 */
export function unsupportedUse(param: InputParam, value: unknown): string | undefined {
  const what = param.label || param.name
  if (param.unsupported && isUsed(value)) return `${what} is not supported yet`
  const option = param.options?.find(({ name }) => name === value)
  if (option?.unsupported) return `${what} ${option.label} is not supported yet`
  const json: unknown = param.unsupportedKeys && typeof value === 'string' ? parseFencedJson(value) : value
  const key = param.unsupportedKeys?.find(
    (name) => typeof json === 'object' && json !== null && Object.hasOwn(json, name),
  )
  return key && `${what}: “${key}” is not supported`
}

/** Returns the inputs with values and configurations of older files moved from their former names. */
export function withFormerNames(params: readonly InputParam[], inputs: Inputs): Inputs {
  return params.reduce((so, { name, formerName }) => {
    if (!formerName || !isBlank(so[name]) || isBlank(so[formerName])) return so
    const { [formerName]: value, [`${formerName}Config`]: config, ...rest } = so
    return { ...rest, [name]: value, ...(config === undefined ? {} : { [`${name}Config`]: config }) }
  }, inputs)
}

/** Returns the options to offer beside the chosen one. */
export function offeredOptions(options: readonly ParamOption[], chosen: unknown): ParamOption[] {
  return options.filter((option) => !option.unsupported || option.name === chosen)
}

/** Returns the inputs without values of hidden parameters. Undeclared inputs stay. */
export function dropHiddenInputs(params: readonly InputParam[], inputs: Inputs): Record<string, unknown> {
  const declared = new Set(params.map((param) => param.name))
  const shown = new Set(visibleParams(params, inputs).map((param) => param.name))
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !declared.has(name) || shown.has(name)))
}

/** Returns the parameters with `display` by the current inputs. */
export function withDisplay(params: readonly InputParam[], inputs: Inputs): InputParam[] {
  return params.map((param) => ({ ...param, display: isVisible(param, { params, inputs }) }))
}

function allHold(conditions: Conditions, scope: ParamScope): boolean {
  return Object.entries(conditions).every(([path, expected]) => holds(valueAt(path, scope), expected))
}

/** Returns the input at a condition's path, or its declared default. */
function valueAt(path: string, { params, inputs, index }: ParamScope): unknown {
  const keys = parsePath(index === undefined ? path : path.replaceAll('$index', String(index)))
  if (!keys) return ''
  return readPath(inputs, keys) ?? declaredDefault(params, keys) ?? ''
}

function declaredDefault(params: readonly InputParam[], keys: readonly (string | number)[]): unknown {
  const [name, ...rest] = keys.filter((key) => typeof key === 'string')
  const param = params.find((candidate) => candidate.name === name)
  if (!param || rest.length === 0) return param?.default
  return declaredDefault(param.array ?? [], rest)
}

function holds(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) return parseList(actual).some((value) => expected.some((one) => same(value, one)))
  return parseList(actual).some((value) => same(value, expected) || matchesPattern(value, expected))
}

/** Multiple choices are stored as a list or as the JSON text of one. */
function parseList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string' && value.startsWith('[') && value.endsWith(']')) {
    try {
      return JSON.parse(value) as unknown[]
    } catch {
      return [value]
    }
  }
  return [value]
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

const LONGEST_MATCHED_VALUE = 256

/**
 * Conditions may be regular expressions (`.+`). They come from untrusted files, so only safe patterns are tried: no
 * repeated groups, no back references, at most three repetitions, on a short value.
 */
function matchesPattern(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'string' || pattern === '' || typeof value === 'object') return false
  if (/\)[*+?{]|\\[1-9k]/.test(pattern) || (pattern.match(/[*+{]/g)?.length ?? 0) > 3) return false
  try {
    return new RegExp(pattern).test(String(value).slice(0, LONGEST_MATCHED_VALUE))
  } catch {
    return false
  }
}
