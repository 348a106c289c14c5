/**
 * Resolves references in a node's inputs. Inputs are parsed once, when the flow is compiled. During a run, only texts with
 * references have a cost. Other values are passed on without copying.
 */
import { isObject } from '#contract/data/json.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { holdsJson } from '#contract/flow/params/params.ts'
import {
  compileTemplate,
  type Lookup,
  type Template,
  wholeReference,
  writtenInJson,
} from '#contract/flow/references/references.ts'
import { editorText } from '../text/html-to-markdown.ts'

export type Inputs = Record<string, unknown>
type ComponentInputs = (name: string) => InputParam[] | undefined

export interface InputTemplates {
  /** Inputs as saved, with defaults for missing ones and editor HTML as Markdown. */
  constant: Inputs
  templates: readonly (readonly [name: string, template: Template])[]
}

export interface UpdateTemplate {
  key: string
  template: Template
}

/** Compiles texts of parameters that accept variables, including array items and configs of selected components. */
export function compileInputs(inputs: Inputs, params: InputParam[], componentInputs: ComponentInputs): InputTemplates {
  const constant: Inputs = { ...inputs }
  const templates: [string, Template][] = []
  for (const param of params) {
    if (constant[param.name] === undefined && param.default !== undefined) constant[param.name] = param.default
  }
  const isJson = (name: string) =>
    params.some((param) => param.name === name && holdsJson(param, { params, inputs: constant }))
  const add = (name: string, value: unknown) => {
    const compiled = typeof value === 'string' && isJson(name) ? compileJson(value) : compileValue(value)
    if (typeof compiled === 'function') templates.push([name, compiled])
    else constant[name] = compiled.value
  }
  for (const [name, value] of Object.entries(constant)) {
    if (holdsUpdates(params.find((param) => param.name === name))) continue
    const scope = variableScope(name, { inputs: constant, params, componentInputs })
    if (scope === 'all') add(name, value)
    else if (scope) {
      const compiled = compileParts(value, scope)
      if (typeof compiled === 'function') templates.push([name, compiled])
      else constant[name] = compiled.value
    }
  }
  return { constant, templates }
}

export function resolveInputs({ constant, templates }: InputTemplates, lookup: Lookup): Inputs {
  if (templates.length === 0) return constant
  const resolved = { ...constant }
  for (const [name, template] of templates) resolved[name] = template(lookup)
  return resolved
}

/** Compiles a node's state updates, whose values may reference the node's own `{{ output }}`. */
export function compileUpdates(inputs: Inputs, params: InputParam[]): UpdateTemplate[] {
  return updateItems(inputs, params).map(({ key, value }) => ({ key, template: compileUpdate(value) }))
}

/** Like `compileUpdates`, for values that are not templates. */
export function constantUpdates(inputs: Inputs, params: InputParam[]): UpdateTemplate[] {
  return updateItems(inputs, params).map(({ key, value }) => ({ key, template: () => value }))
}

function updateItems(inputs: Inputs, params: InputParam[]): { key: string; value: unknown }[] {
  const items = params.filter(holdsUpdates).flatMap(({ name }) => inputs[name] || [])
  return (items as { key?: unknown; value?: unknown }[])
    .filter((item) => typeof item?.key === 'string' && item.key !== '')
    .map(({ key, value }) => ({ key: String(key), value: value ?? '' }))
}

/** Compiles an update. A value that is only `{{ output }}` keeps the output's type. */
function compileUpdate(value: unknown): Template {
  const compiled = compileValue(value)
  const template: Template = typeof compiled === 'function' ? compiled : () => compiled.value
  const whole = typeof value === 'string' ? wholeReference(value) : undefined
  if (whole?.root !== 'output') return template
  return (lookup) => {
    const own = lookup(whole)
    return own === undefined ? template(lookup) : own
  }
}

/** Applies the caller's inputs: lists are appended to the owner's list, other values replace the owner's. */
export function withOverrides(inputs: Inputs, overrides: Inputs): Inputs {
  const changed = Object.entries(overrides).map(([name, value]) => {
    const own = inputs[name]
    return [name, Array.isArray(own) && Array.isArray(value) ? [...own, ...value] : value]
  })
  return changed.length === 0 ? inputs : { ...inputs, ...Object.fromEntries(changed) }
}

/** Returns the state after a node's updates; the same object if there are none. */
export function updateState<State extends object>(state: State, updates: UpdateTemplate[], lookup: Lookup): State {
  if (updates.length === 0) return state
  return { ...state, ...Object.fromEntries(updates.map(({ key, template }) => [key, template(lookup)])) }
}

function holdsUpdates(param: InputParam | undefined): boolean {
  return param?.array?.some((item) => item.acceptNodeOutputAsVariable) ?? false
}

interface ParamScope {
  inputs: Inputs
  params: InputParam[]
  componentInputs: ComponentInputs
}

/** The texts to compile: `all`, those selected by a function, or none. */
type Scope = 'all' | ((inputs: Inputs) => Compiled) | undefined

function variableScope(name: string, scope: ParamScope): Scope {
  const declared = scope.params.filter((param) => param.name === name)
  if (declared.some((param) => param.acceptVariable)) return 'all'
  const items = declared.find((param) => param.array)?.array
  if (items) return (item) => compileParams(item, items, scope.componentInputs)
  const chooser = scope.params.find((param) => param.loadConfig && `${param.name}Config` === name)
  const chosen = chooser && scope.componentInputs(String(scope.inputs[chooser.name] ?? ''))
  if (chosen) return (config) => compileParams(config, chosen, scope.componentInputs)
  return undefined
}

function compileParams(inputs: Inputs, params: InputParam[], componentInputs: ComponentInputs): Compiled {
  const compiled = compileInputs(inputs, params, componentInputs)
  return compiled.templates.length > 0 ? (lookup) => resolveInputs(compiled, lookup) : { value: compiled.constant }
}

type Compiled = Template | { value: unknown }

function compileParts(value: unknown, compile: (inputs: Inputs) => Compiled): Compiled {
  if (Array.isArray(value)) return compileItems(value, (item) => compileParts(item, compile))
  return isObject(value) ? compile(value) : { value }
}

function compileValue(value: unknown): Compiled {
  if (typeof value === 'string') return compileText(value)
  if (Array.isArray(value)) return compileItems(value, compileValue)
  if (!isObject(value)) return { value }
  const keys = Object.keys(value)
  const compiled = compileItems(Object.values(value), compileValue)
  const object = (values: unknown) => Object.fromEntries(keys.map((key, index) => [key, (values as unknown[])[index]]))
  return typeof compiled === 'function' ? (lookup) => object(compiled(lookup)) : { value: object(compiled.value) }
}

function compileItems(items: unknown[], compile: (item: unknown) => Compiled): Compiled {
  const compiled = items.map(compile)
  if (compiled.every((item) => typeof item !== 'function')) return { value: compiled.map(({ value }) => value) }
  return (lookup) => compiled.map((item) => (typeof item === 'function' ? item(lookup) : item.value))
}

function compileText(saved: string): Compiled {
  const text = editorText(saved)
  return compileTemplate(text) ?? { value: text }
}

function compileJson(saved: string): Compiled {
  const text = editorText(saved)
  return compileTemplate(text, writtenInJson) ?? { value: text }
}
