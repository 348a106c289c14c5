/** What a node says about itself below its name. */
import type { FlowNode } from '#contract/flow/document/document.ts'
import { LOOP, START } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { isChoiceOfInstallation, paramsOf, visibleParams } from '#contract/flow/params/params.ts'
import { plainText } from '#contract/flow/params/rich-text.ts'
import { filledLists, listOf } from '../../surface/geometry.ts'
import type { Definitions, Face, FaceTool } from '../types.ts'

type Inputs = Readonly<Record<string, unknown>>

const MAX_PARTS = 2
const MAX_LENGTH = 60
const SHOWN_TYPES = new Set(['asyncOptions', 'options', 'string', 'number', 'code', 'json'])

/**
 * Returns what matters of a node: the inputs that differ from their defaults in form order, then the lists with their
 * counts and the tools. A node has a second line exactly while one of its lists has items.
 */
export function nodeFace(node: FlowNode, definitions: Definitions): Face {
  const inputs = node.data.inputs ?? {}
  const lists = filledLists(node)
  return {
    first: firstLine(node, inputs, definitions),
    second: lists
      .map((param) => listText(param, inputs))
      .filter(Boolean)
      .join(' · '),
    tools: lists.flatMap((param) => toolsIn(param, inputs, definitions)),
  }
}

function firstLine(node: FlowNode, inputs: Inputs, definitions: Definitions): string {
  if (node.data.name === START) return startText(inputs)
  if (node.data.name === LOOP) return loopText(inputs)
  return visibleParams(paramsOf(node), inputs)
    .filter((param) => SHOWN_TYPES.has(param.type) && inputs[param.name] !== param.default)
    .map((param) => inputText(param, inputs, definitions))
    .filter(Boolean)
    .slice(0, MAX_PARTS)
    .join(' · ')
}

const STARTS: Readonly<Record<string, string>> = { webhookTrigger: 'Webhook', scheduleInput: 'Schedule' }

/** What starts the flow. */
function startText({ startInputType, formInputTypes }: Inputs): string {
  if (startInputType !== 'formInput') return STARTS[String(startInputType)] ?? 'Chat'
  const fields = listOf(formInputTypes).length
  return fields === 0 ? 'Form' : `Form with ${counted(fields, 'fields')}`
}

/** The target is stored as `<node id>-<label>`; the label in the file may be an old one. */
function loopText({ loopBackToNode, maxLoopCount }: Inputs): string {
  if (typeof loopBackToNode !== 'string' || loopBackToNode === '') return ''
  const target = loopBackToNode.split('-', 1)[0]
  return [`Back to {{${target}}}`, maxLoopCount && `at most ${maxLoopCount} times`].filter(Boolean).join(' · ')
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

/** The names of lists inside a sentence, where the label does not read well there. */
const NOUNS: Readonly<Record<string, string>> = {
  'Knowledge (Document Stores)': 'document stores',
  'JSON Structured Output': 'output fields',
  'Update Flow State': 'state updates',
  'Flow State': 'state values',
  'Tool Input Arguments': 'arguments',
  'Query Params': 'query parameters',
  Body: 'body fields',
}

/** Returns '' for tools, which have icons. */
function listText(param: InputParam, inputs: Inputs): string {
  if (toolParam(param) || param.type === 'multiOptions') return ''
  const items = listOf(inputs[param.name])
  if (param.name === 'formInputTypes') return items.map(fieldLabel).filter(Boolean).join(', ')
  return counted(items.length, NOUNS[param.label] ?? param.label.toLowerCase().replace(/ \(.*/, ''))
}

const fieldLabel = (item: unknown): string => {
  const { label, name } = (item ?? {}) as Inputs
  return String(label || name || '')
}

const toolParam = (param: InputParam) => param.array?.find(({ loadMethod }) => loadMethod === 'listTools')

function toolsIn(param: InputParam, inputs: Inputs, definitions: Definitions): FaceTool[] {
  const items = listOf(inputs[param.name])
  if (param.type === 'multiOptions') {
    return items.map((name) => ({
      name: String(name),
      label: param.options?.find((option) => option.name === name)?.label ?? String(name),
    }))
  }
  const chosen = toolParam(param)
  if (!chosen) return []
  return items.flatMap((item) => {
    const name = (item as Inputs | null)?.[chosen.name]
    return typeof name === 'string' && name !== '' ? [{ name, label: definitions.get(name)?.label ?? name }] : []
  })
}

/** (2, "messages") → "2 messages"; (1, "messages") → "1 message". */
function counted(count: number, words: string): string {
  return `${count} ${count === 1 ? words.replace(/s$/, '') : words}`
}
