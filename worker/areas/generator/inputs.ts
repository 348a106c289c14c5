/** Turns the inputs of a planned step into the inputs of a node. */

import { tryParseJson } from '#contract/data/json.ts'
import { defaultInputs } from '#contract/flow/document/create.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { isBlank } from '#contract/flow/params/blank.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import {
  isVisible,
  offeredOptions,
  paramsOf,
  storedParams,
  visibleParams,
  withDisplay,
} from '#contract/flow/params/params.ts'
import { mapTexts, renameReferences } from '#contract/flow/references/references.ts'
import type { ChosenModel } from '../../components/chosen-model.ts'
import { type PlanStep, planText } from './plan.ts'

type Values = Record<string, unknown>

interface Filling {
  definitions: ReadonlyMap<string, ComponentDefinition>
  model: ChosenModel
  /** Node ids by step id. */
  ids: ReadonlyMap<string, string>
  /** Returns the value that a Loop node stores for its target. */
  loopValueOf(id: string): string | undefined
  problem(text: string): void
}

interface InputsPlace {
  params: readonly InputParam[]
  values: Values
  node: FlowNode
  filling: Filling
}

/** Returns the node with the step's inputs; other inputs stay. */
export function withPlannedInputs(
  node: FlowNode,
  step: PlanStep,
  { definition, filling }: { definition: ComponentDefinition; filling: Filling },
): FlowNode {
  const params = definition.inputs
  const before = node.data.inputs ?? {}
  const changed = step.inputs.filter(({ name, value }) => planText(before[name] ?? '') !== value)
  // Other inputs decide which of several inputs with one name is shown, so all are set before any is read.
  const values: Values = { ...before, ...Object.fromEntries(changed.map(({ name, value }) => [name, value])) }
  const place = { params, values, node, filling }
  for (const { name, value } of changed) values[name] = read(name, value, place)
  chooseModels(place)
  chooseComponents(place, before)
  const inputParams = storedParams(withDisplay(paramsOf(node), values))
  return { ...node, data: { ...node.data, inputs: values, inputParams } }
}

function read(name: string, value: string, place: InputsPlace): unknown {
  const named = place.params.filter((param) => param.name === name)
  const shown = named.find((param) => isVisible(param, { params: place.params, inputs: place.values }))
  const param = shown ?? named[0]
  const { filling, node } = place
  if (isConfigOf(name, place.params)) return recordOf(tryParseJson(value))
  if (!param) {
    filling.problem(`${node.data.label}: there is no input ${name}`)
    return value
  }
  if (param.array) return readItems(param, value, place)
  return readValue(param, value, place)
}

function readValue(param: InputParam, value: unknown, { node, filling }: InputsPlace): unknown {
  const text = planText(value)
  const what = `${node.data.label}: ${param.name}`
  if (param.type === 'boolean') return text === 'true'
  if (param.type === 'number' && !text.includes('{{')) {
    if (Number.isNaN(Number(text))) filling.problem(`${what} must be a number`)
    return Number(text)
  }
  if (param.type === 'options' && !param.freeSolo) {
    const offered = offeredOptions(param.options ?? [], undefined).map((option) => option.name)
    if (!offered.includes(text)) filling.problem(`${what} must be one of ${offered.join(', ')}`)
    return text
  }
  if (param.loadMethod === 'listPreviousNodes') return filling.loopValueOf(text) ?? text
  return param.acceptVariable ? mapTexts(value, (inner) => renameReferences(inner, filling.ids)) : text
}

function readItems(param: InputParam, value: string, place: InputsPlace): unknown {
  const items = tryParseJson(value)
  if (!Array.isArray(items) || items.some((item) => typeof item !== 'object' || item === null)) {
    place.filling.problem(`${place.node.data.label}: ${param.name} must be a JSON list of objects`)
    return []
  }
  const before = place.node.data.inputs?.[param.name]
  const inputs = { ...place.values, [param.name]: items }
  return items.map((item: Values, index) => {
    const shown = visibleParams(place.params, inputs, { array: param.name, index })
    const known = new Set(param.array?.map(({ name }) => name))
    const stray = Object.keys(item).filter((key) => !known.has(key) && !isConfigOf(key, param.array ?? []))
    if (stray.length > 0) {
      place.filling.problem(`${place.node.data.label}: the items of ${param.name} have no ${stray.join(', ')}`)
    }
    const values = shown.flatMap((each) => {
      const own = item[each.name] ?? each.default
      if (own === undefined) return []
      const value = each.array || typeof own === 'object' ? own : readValue(each, own, { ...place, values: item })
      const had = Array.isArray(before) ? before.find((one: Values | null) => one?.[each.name] === value) : undefined
      const config = configOf(each, value, { given: item, had, filling: place.filling })
      return [[each.name, value], ...config]
    })
    return Object.fromEntries(values)
  })
}

interface Choice {
  /** May hold `<name>Config` from the plan. */
  given: Values
  /** The item that had the same choice before. */
  had: Values | undefined
  filling: Filling
}

/** Returns a chosen tool's inputs: the previous ones or its defaults, overridden by the plan. */
function configOf(param: InputParam, chosen: unknown, { given, had, filling }: Choice): [string, unknown][] {
  const component = param.loadConfig && typeof chosen === 'string' ? filling.definitions.get(chosen) : undefined
  if (!component) return []
  const key = `${param.name}Config`
  const before = had?.[key] ?? defaultInputs(component.inputs)
  return [[key, { ...recordOf(before), ...recordOf(given[key]), [param.name]: chosen }]]
}

const isConfigOf = (name: string, params: readonly InputParam[]) =>
  params.some((param) => param.loadConfig && param.loadMethod !== 'listModels' && name === `${param.name}Config`)

const recordOf = (value: unknown): Values => (typeof value === 'object' && value !== null ? (value as Values) : {})

/** Configures the node's own choices other than models: a Tool node's tool. */
function chooseComponents({ params, values, filling }: InputsPlace, before: Values): void {
  for (const param of visibleParams(params, values)) {
    if (param.loadMethod === 'listModels') continue
    const had = before[param.name] === values[param.name] ? before : undefined
    for (const [key, config] of configOf(param, values[param.name], { given: values, had, filling }))
      values[key] = config
  }
}

function chooseModels({ params, values, filling: { model } }: InputsPlace): void {
  for (const { name, loadMethod } of visibleParams(params, values)) {
    if (loadMethod !== 'listModels' || !isBlank(values[name])) continue
    values[name] = model.name
    values[`${name}Config`] = { ...model.config, [name]: model.name }
  }
}
