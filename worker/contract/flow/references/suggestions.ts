/** Suggestions for references, shown after typing `{{`. */

import type { FlowDocument, FlowNode } from '../document/document.ts'
import { containerOf } from '../document/graph.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import type { FlowKind } from '../kinds/types.ts'
import type { InputParam } from '../params/definition.ts'
import { upstreamFinder } from './upstream.ts'

export interface Suggestion {
  /** The text between the braces: `$flow.state.city`. */
  id: string
  label: string
  description: string
  category: 'This node' | 'Iteration' | 'Chat' | 'Flow' | 'State' | 'Form' | 'Webhook' | 'Variables' | 'Nodes'
}

const CHAT: [string, string][] = [
  ['question', "The person's question"],
  ['chat_history', 'Earlier conversation of this chat'],
  ['current_date_time', 'Current date and time'],
  ['runtime_messages_length', 'How many messages this run has so far'],
  ['loop_count', 'Times the latest Loop node has gone back'],
  ['file_attachment', 'Text of the uploaded files'],
]
const FLOW: [string, string][] = [
  ['$flow.sessionId', 'Id of the session'],
  ['$flow.chatId', 'Id of the chat'],
  ['$flow.chatflowId', 'Id of this flow'],
]

/** The valid beginnings of a reference besides node ids. */
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
 * Returns suggestions for one parameter of one node, nearest first. `variables` are the workspace's. `param` decides
 * whether the node's own output is offered.
 */
export function variableSuggestions(
  flow: FlowDocument,
  nodeId: string,
  { variables = [], param, kind }: { variables?: readonly { name: string }[]; param?: InputParam; kind: FlowKind },
): Suggestion[] {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  const node = nodes.get(nodeId)
  const { state, form, webhook } = kind.declaredValues(flow)
  return [
    ...(isInContainer(node, nodes, kind)
      ? [suggest('$iteration', 'Iteration', 'The current item of the iteration')]
      : []),
    ...(param?.acceptNodeOutputAsVariable && node ? ownOutput(node, kind) : []),
    ...CHAT.filter(([id]) => kind.chatValues?.includes(id) ?? true).map(([id, description]) =>
      suggest(id, 'Chat', description),
    ),
    ...state.map((key) => suggest(`$flow.state.${key}`, 'State', 'Value of the flow state')),
    ...form.map((name) => suggest(`$form.${name}`, 'Form', 'Field of the start form')),
    ...webhook.map((path) => suggest(`$webhook.${path}`, 'Webhook', 'Value of the webhook call')),
    ...upstreamNodes(flow, nodeId, kind).flatMap((each) => nodeOutputs(each, kind)),
    ...variables.map(({ name }) => suggest(`$vars.${name}`, 'Variables', 'Variable of the workspace')),
    ...FLOW.map(([id, description]) => suggest(id, 'Flow', description)),
  ]
}

function upstreamNodes(flow: FlowDocument, nodeId: string, kind: FlowKind): FlowNode[] {
  const upstream = upstreamFinder(flow, kind).idsOf(nodeId)
  return flow.nodes.filter(({ id, data }) => upstream.has(id) && id !== nodeId && !isStickyNote(data))
}

/** Returns the node itself and each key of its output. */
function nodeOutputs({ id, data }: FlowNode, kind: FlowKind): Suggestion[] {
  const { description, keys } = kind.describeOutput(data)
  const whole: Suggestion = { id: kind.outputReference(id), label: data.label, description, category: 'Nodes' }
  return [whole, ...keys.map((key) => part(`${id}.output.${key}`, data.label, key))]
}

function part(id: string, label: string, key: string): Suggestion {
  return { id, label: `${label}: ${key}`, description: `${key} of the output of ${label}`, category: 'Nodes' }
}

function ownOutput({ data }: FlowNode, kind: FlowKind): Suggestion[] {
  const { keys } = kind.describeOutput(data)
  const ids = ['output', ...keys.map((key) => `output.${key}`)]
  return ids.map((id) => suggest(id, 'This node', 'Output of this node'))
}

function isInContainer(node: FlowNode | undefined, nodes: ReadonlyMap<string, FlowNode>, kind: FlowKind): boolean {
  return node !== undefined && containerOf(node, nodes, kind) !== undefined
}

function suggest(id: string, category: Suggestion['category'], description: string): Suggestion {
  return { id, label: id, description, category }
}
