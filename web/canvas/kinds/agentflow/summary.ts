/** The inputs that matter of a node, in one line. */
import type { FlowNode } from '#contract/flow/document/document.ts'
import { LOOP } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { paramsOf, visibleParams } from '#contract/flow/params/params.ts'
import { plainText } from '#contract/flow/params/rich-text.ts'
import type { Definitions } from '../types.ts'

type Inputs = Readonly<Record<string, unknown>>

const MAX_PARTS = 3
const SHOWN_TYPES = new Set(['asyncOptions', 'options', 'string', 'number', 'array', 'code', 'json'])

/** Returns the inputs that differ from their defaults, in form order: `gpt-4o-mini · 2 tools · 1 message`. */
export function nodeSummary(node: FlowNode, definitions: Definitions): string {
  const inputs = node.data.inputs ?? {}
  if (node.data.name === LOOP) return loopSummary(inputs)
  return visibleParams(paramsOf(node), inputs)
    .filter((param) => SHOWN_TYPES.has(param.type) && inputs[param.name] !== param.default)
    .map((param) => inputText(param, inputs, definitions))
    .filter(Boolean)
    .slice(0, MAX_PARTS)
    .join(' · ')
}

/** The target is stored as `<node id>-<label>`. */
function loopSummary({ loopBackToNode, maxLoopCount }: Inputs): string {
  if (typeof loopBackToNode !== 'string' || loopBackToNode === '') return ''
  const label = loopBackToNode.slice(loopBackToNode.indexOf('-') + 1)
  return [`Back to ${label}`, maxLoopCount && `at most ${maxLoopCount} times`].filter(Boolean).join(' · ')
}

function inputText(param: InputParam, inputs: Inputs, definitions: Definitions): string {
  const value = inputs[param.name]
  if (Array.isArray(value)) return value.length === 0 ? '' : counted(value.length, param.label)
  if (typeof value === 'number') return `${param.label}: ${value}`
  if (typeof value !== 'string' || value === '') return ''
  if (param.loadConfig) return modelName(inputs[`${param.name}Config`]) ?? definitions.get(value)?.label ?? value
  if (param.type === 'options') return param.options?.find((option) => option.name === value)?.label ?? value
  return plainText(value).split('\n', 1)[0]?.slice(0, 60) ?? ''
}

function modelName(config: unknown): string | undefined {
  const name = typeof config === 'object' && config !== null ? (config as Inputs).modelName : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** (2, "Tools") → "2 tools"; (1, "Messages") → "1 message". */
function counted(count: number, label: string): string {
  const words = label.toLowerCase()
  return `${count} ${count === 1 ? words.replace(/s$/, '') : words}`
}
