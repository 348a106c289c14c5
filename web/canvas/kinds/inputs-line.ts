/** Summary of a node's inputs in one line. */
import type { FlowNode } from '#contract/flow/document/document.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { type Inputs, isChoiceOfInstallation, paramsOf, visibleParams } from '#contract/flow/params/params.ts'
import { plainText } from '#contract/flow/params/rich-text.ts'
import type { Definitions } from './types.ts'

const MAX_PARTS = 2
const MAX_LENGTH = 60
const SHOWN_TYPES = new Set(['asyncOptions', 'options', 'string', 'number', 'code', 'json'])

/** Returns the first inputs that differ from their defaults, in form order. */
export function inputsLine(node: FlowNode, definitions: Definitions): string {
  const inputs = node.data.inputs ?? {}
  return visibleParams(paramsOf(node), inputs)
    .filter((param) => SHOWN_TYPES.has(param.type) && inputs[param.name] !== param.default)
    .map((param) => inputText(param, inputs, definitions))
    .filter(Boolean)
    .slice(0, MAX_PARTS)
    .join(' · ')
}

function inputText(param: InputParam, inputs: Inputs, definitions: Definitions): string {
  const value = inputs[param.name]
  if (typeof value === 'number') return `${param.label}: ${value}`
  if (typeof value !== 'string' || value === '' || isChoiceOfInstallation(param)) return ''
  if (param.loadConfig) return modelName(inputs[`${param.name}Config`]) ?? definitions.get(value)?.label ?? value
  if (param.type === 'options') return param.options?.find((option) => option.name === value)?.label ?? value
  return oneLine(plainText(value))
}

/** Cut between references, never inside one. */
function oneLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? ''
  const cut = line.slice(0, MAX_LENGTH)
  const open = cut.lastIndexOf('{{')
  return open > cut.lastIndexOf('}}') ? line.slice(0, Math.max(MAX_LENGTH, line.indexOf('}}', open) + 2)) : cut
}

function modelName(config: unknown): string | undefined {
  const name = typeof config === 'object' && config !== null ? (config as Inputs).modelName : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}
