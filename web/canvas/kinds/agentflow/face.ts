/** Summary of a node below its name. */
import type { FlowNode } from '#contract/flow/document/document.ts'
import { LOOP, START } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { filledLists, parseList } from '../../geometry/node-size.ts'
import { inputsLine } from '../inputs-line.ts'
import type { Definitions, Face, FaceTool } from '../types.ts'

type Inputs = Readonly<Record<string, unknown>>

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
  return inputsLine(node, definitions)
}

const STARTS: Readonly<Record<string, string>> = { webhookTrigger: 'Webhook', scheduleInput: 'Schedule' }

/** Describes what starts the flow. */
function startText({ startInputType, formInputTypes }: Inputs): string {
  if (startInputType !== 'formInput') return STARTS[String(startInputType)] ?? 'Chat'
  const fields = parseList(formInputTypes).length
  return fields === 0 ? 'Form' : `Form with ${formatCount(fields, 'fields')}`
}

/** The target is stored as `<node id>-<label>`; the label in the file may be an old one. */
function loopText({ loopBackToNode, maxLoopCount }: Inputs): string {
  if (typeof loopBackToNode !== 'string' || loopBackToNode === '') return ''
  const target = loopBackToNode.split('-', 1)[0]
  return [`Back to {{${target}}}`, maxLoopCount && `at most ${maxLoopCount} times`].filter(Boolean).join(' · ')
}

/** The names of lists inside a sentence, where the label does not read well there. */
const NOUNS: Readonly<Record<string, string>> = {
  'Knowledge (document stores)': 'document stores',
  'JSON structured output': 'output fields',
  'Update flow state': 'state updates',
  'Flow state': 'state values',
  'Tool input arguments': 'arguments',
  'Query params': 'query parameters',
  Body: 'body fields',
}

/** Returns '' for tools, which have icons. */
function listText(param: InputParam, inputs: Inputs): string {
  if (toolParam(param) || param.type === 'multiOptions') return ''
  const items = parseList(inputs[param.name])
  if (param.name === 'formInputTypes') return items.map(fieldLabel).filter(Boolean).join(', ')
  return formatCount(items.length, NOUNS[param.label] ?? param.label.toLowerCase().replace(/ \(.*/, ''))
}

const fieldLabel = (item: unknown): string => {
  const { label, name } = (item ?? {}) as Inputs
  return String(label || name || '')
}

const toolParam = (param: InputParam) => param.array?.find(({ loadMethod }) => loadMethod === 'listTools')

function toolsIn(param: InputParam, inputs: Inputs, definitions: Definitions): FaceTool[] {
  const items = parseList(inputs[param.name])
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
function formatCount(count: number, words: string): string {
  return `${count} ${count === 1 ? words.replace(/s$/, '') : words}`
}
