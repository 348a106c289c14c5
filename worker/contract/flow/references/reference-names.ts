/** What a reference is called where people read it. */
import { isObject } from '../../data/json.ts'
import { plainText } from '../params/rich-text.ts'
import { looksLikeId, parseTemplate, type Reference } from './references.ts'

/** The labels of a flow's nodes, by id. */
export type NodeNames = ReadonlyMap<string, string>

export interface Chip {
  name: string
  /** The node is not in the flow. */
  gone: boolean
}

const SYSTEM: Readonly<Record<string, string>> = {
  question: 'Question',
  chat_history: 'Chat history',
  current_date_time: 'Current date and time',
  runtime_messages_length: 'Message count',
  loop_count: 'Loop count',
  file_attachment: 'Attached files',
  $vars: 'Variable',
  $form: 'Form',
  $webhook: 'Webhook',
  $iteration: 'Current item',
  output: 'Output',
}
const FLOW: Readonly<Record<string, string>> = { sessionId: 'Session ID', chatId: 'Chat ID', chatflowId: 'Flow ID' }

/** Returns undefined for what only looks like a reference, and stays text in a run. */
export function chipOf({ root, path }: Pick<Reference, 'root' | 'path'>, names: NodeNames): Chip | undefined {
  const label = names.get(root)
  if (label !== undefined) return { name: withPath(label || root, pathInOutput(path)), gone: false }
  if (root === '$flow') return flowChip(path)
  if (Object.hasOwn(SYSTEM, root)) return { name: withPath(SYSTEM[root] as string, path), gone: false }
  return looksLikeId(root) ? { name: root, gone: true } : undefined
}

/** Agent flows write `.output`, chat flows `.data.instance`. */
function pathInOutput(path: Reference['path']): Reference['path'] {
  if (path[0] === 'output') return path.slice(1)
  return path[0] === 'data' && path[1] === 'instance' ? path.slice(2) : path
}

function flowChip([first, ...rest]: Reference['path']): Chip {
  const own = FLOW[String(first)]
  if (own) return { name: withPath(own, rest), gone: false }
  return { name: withPath(first === 'state' ? 'State' : `Flow: ${first ?? ''}`, rest), gone: false }
}

const withPath = (name: string, path: Reference['path']): string =>
  path.length === 0 ? name : `${name}: ${path.join('.')}`

type ChipPart = string | Chip

/** Splits a text into what is read as it stands and chips. */
export function chipParts(text: string, names: NodeNames): ChipPart[] {
  return parseTemplate(text).map((part) => {
    if (part.kind === 'text') return part.text
    return chipOf(part, names) ?? part.source
  })
}

/** Returns a text with the names of what it refers to: `{{llmAgentflow_0}} is empty` → `LLM 0 is empty`. */
export function namedText(text: string, names: NodeNames): string {
  if (!text.includes('{{')) return text
  return chipParts(plainText(text), names)
    .map((part) => (isObject(part) ? part.name : part))
    .join('')
}
