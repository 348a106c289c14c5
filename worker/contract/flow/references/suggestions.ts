/** What is offered while a person types `{{` (compat 4.2). */

import type { FlowDocument, FlowNode } from '../document/document.ts'
import { HUMAN_INPUT, ITERATION, isStickyNote, startNodes } from '../document/node-kinds.ts'
import type { InputParam } from '../params/definition.ts'
import { upstreamFinder } from './upstream.ts'

export interface Suggestion {
  /** What goes between the braces: `$flow.state.city`. */
  id: string
  label: string
  description: string
  category: 'This node' | 'Iteration' | 'Chat' | 'Flow' | 'State' | 'Form' | 'Webhook' | 'Variables' | 'Nodes'
}

const CHAT: [string, string][] = [
  ['question', "The person's question"],
  ['chat_history', 'Earlier conversation of this chat'],
  ['current_date_time', 'Date and time of now'],
  ['runtime_messages_length', 'How many messages this run has so far'],
  ['loop_count', 'How often the latest Loop node went back'],
  ['file_attachment', 'Text of the uploaded files'],
]
const FLOW: [string, string][] = [
  ['$flow.sessionId', 'Id of the session'],
  ['$flow.chatId', 'Id of the chat'],
  ['$flow.chatflowId', 'Id of this flow'],
]

/** The names that a reference may begin with besides node ids. */
export const SYSTEM_ROOTS: ReadonlySet<string> = new Set([
  ...CHAT.map(([id]) => id),
  '$flow',
  '$vars',
  '$form',
  '$webhook',
  '$iteration',
  'output',
])

/**
 * Suggestions for one parameter of one node, the nearest first. `variables` are the workspace's; `param` decides
 * whether the node's own output may be used.
 */
export function variableSuggestions(
  flow: FlowDocument,
  nodeId: string,
  { variables = [], param }: { variables?: readonly { name: string }[]; param?: InputParam } = {},
): Suggestion[] {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  const node = nodes.get(nodeId)
  const start = startNodes(flow)[0]
  return [
    ...(insideIteration(node, nodes) ? [suggest('$iteration', 'Iteration', 'The current item of the iteration')] : []),
    ...(param?.acceptNodeOutputAsVariable && node ? ownOutput(node) : []),
    ...CHAT.map(([id, description]) => suggest(id, 'Chat', description)),
    ...stateKeys(start).map((key) => suggest(`$flow.state.${key}`, 'State', 'Value of the flow state')),
    ...formNames(start).map((name) => suggest(`$form.${name}`, 'Form', 'Field of the start form')),
    ...webhookPaths(start).map((path) => suggest(`$webhook.${path}`, 'Webhook', 'Value of the webhook call')),
    ...upstreamNodes(flow, nodeId).flatMap(nodeOutputs),
    ...variables.map(({ name }) => suggest(`$vars.${name}`, 'Variables', 'Variable of the workspace')),
    ...FLOW.map(([id, description]) => suggest(id, 'Flow', description)),
  ]
}

/** The keys of the flow state that the Start node declares. */
export function stateKeys(start: FlowNode | undefined): string[] {
  return names(start?.data.inputs?.startState, 'key')
}

/** The names of the start form's fields; none while the flow is not started by a form. */
export function formNames(start: FlowNode | undefined): string[] {
  const inputs = start?.data.inputs ?? {}
  if (inputs.startInputType === 'formInput') return names(inputs.formInputTypes, 'name')
  const scheduledForm = inputs.startInputType === 'scheduleInput' && inputs.scheduleInputMode === 'form'
  return scheduledForm ? names(inputs.scheduleFormInputTypes, 'name') : []
}

function webhookPaths(start: FlowNode | undefined): string[] {
  const inputs = start?.data.inputs ?? {}
  if (inputs.startInputType !== 'webhookTrigger') return []
  return [
    ...names(inputs.webhookQueryParams, 'name').map((name) => `query.${name}`),
    ...names(inputs.webhookBodyParams, 'name').map((name) => `body.${name}`),
    ...names(inputs.webhookHeaderParams, 'name').map((name) => `headers.${name.toLowerCase()}`),
  ]
}

function upstreamNodes(flow: FlowDocument, nodeId: string): FlowNode[] {
  const upstream = upstreamFinder(flow).idsOf(nodeId)
  return flow.nodes.filter(({ id, data }) => upstream.has(id) && id !== nodeId && !isStickyNote(data))
}

/** The node itself, each key of its structured output, and what its kind gives beside its text. */
function nodeOutputs({ id, data }: FlowNode): Suggestion[] {
  const description = data.name === HUMAN_INPUT ? `What a person answered to ${data.label}` : `Output of ${data.label}`
  const whole: Suggestion = { id, label: data.label, description, category: 'Nodes' }
  const keys = [...structuredKeys(data), ...(data.name === ITERATION ? ['iterationResults'] : [])]
  return [whole, ...keys.map((key) => part(`${id}.output.${key}`, data.label, key))]
}

function part(id: string, label: string, key: string): Suggestion {
  return { id, label: `${label}: ${key}`, description: `${key} of the output of ${label}`, category: 'Nodes' }
}

function ownOutput({ data }: FlowNode): Suggestion[] {
  const ids = ['output', ...structuredKeys(data).map((key) => `output.${key}`)]
  return ids.map((id) => suggest(id, 'This node', 'Output of this node'))
}

function structuredKeys(data: FlowNode['data']): string[] {
  const input = Object.keys(data.inputs ?? {}).find((name) => name.endsWith('StructuredOutput'))
  return input ? names(data.inputs?.[input], 'key') : []
}

function insideIteration(node: FlowNode | undefined, nodes: ReadonlyMap<string, FlowNode>): boolean {
  return nodes.get(node?.parentNode ?? '')?.data.name === ITERATION
}

/** The non-empty texts under `key` of an array input's items. */
function names(items: unknown, key: string): string[] {
  if (!Array.isArray(items)) return []
  const texts = items.map((item) => (item as Record<string, unknown> | null)?.[key])
  return texts.filter((text): text is string => typeof text === 'string' && text !== '')
}

function suggest(id: string, category: Suggestion['category'], description: string): Suggestion {
  return { id, label: id, description, category }
}
