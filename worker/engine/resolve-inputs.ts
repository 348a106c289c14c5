/**
 * References in a node's inputs (compat 4.1). Everything is parsed once, when the flow is compiled; in a run only the
 * texts that hold a reference cost anything. Values that hold none are handed on as they are, never copied.
 */
import type { InputParam } from '#contract/flow/params/definition.ts'
import { holdsJson } from '#contract/flow/params/params.ts'
import {
  compileTemplate,
  type Lookup,
  type Template,
  wholeReference,
  writtenInJson,
} from '#contract/flow/references/references.ts'
import { editorText } from './html-to-markdown.ts'

export type Inputs = Record<string, unknown>
type ComponentInputs = (name: string) => InputParam[] | undefined

export interface InputTemplates {
  /** As saved, with declared defaults for what is missing; editor HTML as Markdown. */
  constant: Inputs
  templates: readonly (readonly [name: string, template: Template])[]
}

export interface UpdateTemplate {
  key: string
  template: Template
}

/** Texts are resolved where the parameter accepts variables, in array items and in the config of a chosen component too. */
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

/** The state updates of a node: an array parameter whose values may name the node's own `{{ output }}`. */
export function compileUpdates(inputs: Inputs, params: InputParam[]): UpdateTemplate[] {
  return updateItems(inputs, params).map(({ key, value }) => ({ key, template: compileUpdate(value) }))
}

/** The same of values that are no templates. */
export function constantUpdates(inputs: Inputs, params: InputParam[]): UpdateTemplate[] {
  return updateItems(inputs, params).map(({ key, value }) => ({ key, template: () => value }))
}

function updateItems(inputs: Inputs, params: InputParam[]): { key: string; value: unknown }[] {
  const items = params.filter(holdsUpdates).flatMap(({ name }) => inputs[name] || [])
  return (items as { key?: unknown; value?: unknown }[])
    .filter((item) => typeof item?.key === 'string' && item.key !== '')
    .map(({ key, value }) => ({ key: String(key), value: value ?? '' }))
}

/** The node's own output stays the list, number or object that it is where the value is nothing else. */
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

/** Inputs under those that a caller set: a value takes the place of the owner's, a list is added to the owner's list. */
export function withOverrides(inputs: Inputs, overrides: Inputs): Inputs {
  const changed = Object.entries(overrides).map(([name, value]) => {
    const own = inputs[name]
    return [name, Array.isArray(own) && Array.isArray(value) ? [...own, ...value] : value]
  })
  return changed.length === 0 ? inputs : { ...inputs, ...Object.fromEntries(changed) }
}

/** The state after a node's updates; the same object when it has none. */
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

/** `all`: every text in the value; a function: only the named parts of it; undefined: none. */
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

function isObject(value: unknown): value is Inputs {
  return typeof value === 'object' && value !== null
}
