/** What a model is told, in which order (compat 3.2). Pure; summaries are asked for by `memory.ts`. */
import type { ModelMessage } from 'ai'
import type { ChatTurn } from '#contract/events.ts'
import { isAudio, isImage, type KeptUpload, keptUploads, type Senses } from '#contract/uploads.ts'
import { saidBy } from '../models/provider-message.ts'
import { itemsOf, textOf } from '../nodes/shared/inputs.ts'
import { fileReference } from './file-parts.ts'

export interface MessageParts {
  /** Of the prediction call: put before everything, for the run's first model only. */
  history: readonly ChatTurn[]
  /** The node's own messages. */
  configured: ChatTurn[]
  /** The conversation as the memory settings leave it. */
  memory: readonly ChatTurn[]
  /** The node's Input Message. */
  userMessage: string
}

/** System messages come first, then developer messages, as most providers demand; then the conversation in order. Empty ones are left out. */
export function assemble({ history, configured, memory, userMessage }: MessageParts): ChatTurn[] {
  const last: ChatTurn[] = [{ role: 'user', content: userMessage }]
  const turns = [...history, ...configured, ...memory, ...last].filter(saysSomething)
  const {
    system = [],
    developer = [],
    others = [],
  } = Object.groupBy(turns, ({ role }) => (role === 'system' || role === 'developer' ? role : 'others'))
  return [...system, ...developer, ...others]
}

const saysSomething = (turn: ChatTurn) => turn.content.trim() !== '' || filesOf(turn).length > 0

export function configuredMessages(value: unknown): ChatTurn[] {
  return itemsOf(value).flatMap(({ role, content }) => (isRole(role) ? [{ role, content: textOf(content) }] : []))
}

/** Files of a conversation that a model is shown, the newest first. */
const MAX_FILES = 10

/**
 * For the AI SDK, which writes developer messages as the provider wants its system messages. Files are named by their ids:
 * `callModel` puts the bytes in their place.
 */
export function modelMessages(turns: readonly ChatTurn[], senses?: Senses): ModelMessage[] {
  const takes = senses ? [...senses.sees, ...senses.hears] : []
  let room = MAX_FILES
  const fromNewest = turns.toReversed().map((turn) => {
    const files = filesOf(turn).filter(({ type, mime }) => type === 'stored-file:full' || takes.includes(mime))
    const shown = turn.role === 'user' ? files.slice(0, room) : []
    room -= shown.length
    return saidBy(turn.name, modelMessage(turn, shown))
  })
  return fromNewest.toReversed()
}

function modelMessage({ role, content }: ChatTurn, files: KeptUpload[]): ModelMessage {
  if (role !== 'user' || files.length === 0) return { role: role === 'developer' ? 'system' : role, content }
  const words = content.trim() === '' ? [] : [{ type: 'text' as const, text: content }]
  return { role, content: [...files.map(fileReference), ...words] }
}

/** The images, sounds and texts that came with what a person said. */
function filesOf({ additional_kwargs }: ChatTurn): KeptUpload[] {
  const isShown = ({ type, mime }: KeptUpload) => type === 'stored-file:full' || isImage(mime) || isAudio(mime)
  return keptUploads(additional_kwargs?.fileUploads).filter(isShown)
}

function isRole(role: unknown): role is ChatTurn['role'] {
  return role === 'system' || role === 'developer' || role === 'user' || role === 'assistant'
}
