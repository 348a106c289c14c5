/** Finds differences in a node's inputs, in the items of its lists and in the components that it uses. */

import { storedFileNames } from '../../document-stores/file-inputs.ts'
import { CREDENTIAL_ID, SECRET_TYPES } from '../document/serialize.ts'
import { isBlank } from '../params/blank.ts'
import { CODE_MODULES, isCodeModule } from '../params/code-modules.ts'
import type { ComponentDefinition, InputParam } from '../params/definition.ts'
import {
  type Inputs,
  isChoiceOfInstallation,
  isUsed,
  unsupportedUse,
  visibleParams,
  withFormerNames,
} from '../params/params.ts'

export interface Finding {
  reason: string
  /** Set when a person has to do something before the node runs as it should. */
  task?: TaskKind
}

/** `unsupported`: the node cannot run unchanged. */
export const TASK_KINDS = ['credential', 'setting', 'unsupported'] as const
type TaskKind = (typeof TASK_KINDS)[number]

export interface FindingScope {
  definitions: ReadonlyMap<string, ComponentDefinition>
  /** Ids that are valid in the importing workspace. */
  knownIds: ReadonlySet<string>
}

/** The parameters and values to compare, and the prefix of a reason: `Tools 2: `. */
interface InputsPlace {
  /** The visible parameters. */
  shown: readonly InputParam[]
  /** Names that a value may have. */
  known: ReadonlySet<string>
  inputs: Inputs
  prefix: string
}

export function nodeInputFindings(definition: ComponentDefinition, inputs: Inputs, scope: FindingScope): Finding[] {
  const params = definition.inputs
  const present = withFormerNames(params, inputs)
  const moved = params.filter(({ name, formerName }) => formerName && present[name] !== inputs[name])
  return [
    ...moved.map(({ label, formerName }) => ({ reason: `${formerName} of an older version is now ${label}.` })),
    ...componentFindings(params, { inputs: present, prefix: '', known: [CREDENTIAL_ID] }, scope),
  ]
}

/** Reports a required credential that is missing or belongs to another workspace. */
export function missingCredential(
  { credential }: ComponentDefinition,
  chosen: unknown,
  { prefix, scope }: { prefix: string; scope: FindingScope },
): Finding[] {
  if (!credential) return []
  if (isBlank(chosen))
    return credential.optional ? [] : [needed(`${prefix}Choose a credential. Exports never include them.`)]
  if (scope.knownIds.has(String(chosen))) return []
  return [needed(`${prefix}Choose a credential of this workspace. The one in the file belongs to another.`)]
}

const needed = (reason: string): Finding => ({ reason, task: 'credential' })

function componentFindings(
  params: readonly InputParam[],
  { inputs, prefix, known }: { inputs: Inputs; prefix: string; known: readonly string[] },
  scope: FindingScope,
): Finding[] {
  const shown = visibleParams(params, inputs)
  const place = { shown, known: knownNames(params, known), inputs, prefix }
  const inItems = shown
    .filter((param) => param.array)
    .flatMap((param) => itemFindings(param, { params, inputs, prefix }, scope))
  return [...placeFindings(place, scope), ...inItems]
}

function itemFindings(
  list: InputParam,
  { params, inputs, prefix }: { params: readonly InputParam[]; inputs: Inputs; prefix: string },
  scope: FindingScope,
): Finding[] {
  const items: unknown = inputs[list.name]
  if (!Array.isArray(items)) return []
  const known = knownNames(list.array ?? [], [])
  return items.flatMap((item: unknown, index) => {
    if (typeof item !== 'object' || item === null) return []
    const shown = visibleParams(params, inputs, { array: list.name, index })
    return placeFindings(
      { shown, known, inputs: item as Inputs, prefix: `${prefix}${list.label} ${index + 1}: ` },
      scope,
    )
  })
}

function placeFindings(place: InputsPlace, scope: FindingScope): Finding[] {
  return [
    ...unknownInputs(place),
    ...place.shown.flatMap((param) => [
      ...unsupportedHere(param, place),
      ...strippedSecret(param, place),
      ...choiceElsewhere(param, place, scope),
      ...modulesInCode(param, place),
      ...chosenComponent(param, place, scope),
    ]),
  ]
}

function knownNames(params: readonly InputParam[], more: readonly string[]): Set<string> {
  const configs = params.filter((param) => param.loadConfig).map(({ name }) => `${name}Config`)
  return new Set([...params.map(({ name }) => name), ...configs, ...more])
}

/** Ignores empty values. */
function unknownInputs({ known, inputs, prefix }: InputsPlace): Finding[] {
  const names = Object.keys(inputs).filter((name) => !known.has(name) && isUsed(inputs[name]))
  if (names.length === 0) return []
  return [{ reason: `${prefix}Ignored settings: ${names.join(', ')}` }]
}

function unsupportedHere(param: InputParam, { inputs, prefix }: InputsPlace): Finding[] {
  const { label, name, type, options, freeSolo } = param
  const value = inputs[name]
  const why = unsupportedUse(param, value)
  if (why) return [{ reason: prefix + why, task: 'unsupported' }]
  if (type !== 'options' || !options || freeSolo || typeof value !== 'string' || value === '') return []
  if (options.some((option) => option.name === value)) return []
  return [{ reason: `${prefix}${label || name} does not offer ${value}. Choose another option.`, task: 'setting' }]
}

/** Exports omit these values with their keys. Those of other products may name files that stayed there. */
function strippedSecret({ label, name, type, optional }: InputParam, { inputs, prefix }: InputsPlace): Finding[] {
  if (!SECRET_TYPES.has(type)) return []
  const left = type === 'file' ? storedFileNames(inputs[name]) : undefined
  if (left)
    return [{ reason: `${prefix}${label}: choose ${left.join(', ')} again. It is not in the file.`, task: 'setting' }]
  if (Object.hasOwn(inputs, name)) return []
  const reason = `${prefix}${label} is never exported. Enter it again`
  return [optional ? { reason: `${reason} if you use it.` } : { reason: `${reason}.`, task: 'setting' }]
}

function choiceElsewhere(param: InputParam, { inputs, prefix }: InputsPlace, { knownIds }: FindingScope): Finding[] {
  const value = inputs[param.name]
  if (!isChoiceOfInstallation(param) || typeof value !== 'string' || value === '') return []
  // Stores have the form `<id>:<name>`.
  if (knownIds.has(value.split(':', 1)[0] as string)) return []
  return [
    {
      reason: `${prefix}${param.label} ${value} belongs to another workspace. Choose one of this workspace.`,
      task: 'setting',
    },
  ]
}

const MODULE =
  /\brequire\s*\(\s*['"`]([^'"`]+)['"`]|\bimport\s*\(?\s*['"`]([^'"`]+)['"`]|^[ \t]*import\b[^'"`\n]*\bfrom\s*['"`]([^'"`]+)['"`]/gm

/**
 * Returns the modules that code names but cannot load. `import` never works, since code in a flow is a function body.
 */
function modulesInCode({ label, name, type, hideCodeExecute }: InputParam, { inputs, prefix }: InputsPlace): Finding[] {
  const code = inputs[name]
  if (type !== 'code' || hideCodeExecute || typeof code !== 'string') return []
  const named = [...code.matchAll(MODULE)].flatMap(([, required, imported, importedFrom]) => {
    if (required !== undefined && isCodeModule(required)) return []
    return required ?? imported ?? importedFrom ?? []
  })
  if (named.length === 0) return []
  const missing = [...new Set(named)].join(', ')
  const known = CODE_MODULES.join(', ')
  const reason = `${prefix}${label} uses modules that are not available: ${missing}. Available modules: ${known}.`
  return [{ reason, task: 'setting' }]
}

function chosenComponent(param: InputParam, { inputs, prefix }: InputsPlace, scope: FindingScope): Finding[] {
  const chosen = inputs[param.name]
  if (!param.loadConfig || typeof chosen !== 'string' || chosen === '') return []
  const component = scope.definitions.get(chosen)
  if (!component) return [{ reason: `${prefix}${param.label} ${chosen} is not supported.`, task: 'unsupported' }]
  const config = recordOf(inputs[`${param.name}Config`])
  const inside = {
    inputs: config,
    prefix: `${prefix}${component.label}: `,
    known: [param.name, param.formerName ?? param.name, CREDENTIAL_ID, 'credential'],
  }
  return [
    ...componentFindings(component.inputs, inside, scope),
    ...missingCredential(component, config[CREDENTIAL_ID] || config.credential, { prefix: inside.prefix, scope }),
  ]
}

function recordOf(value: unknown): Inputs {
  return typeof value === 'object' && value !== null ? (value as Inputs) : {}
}
