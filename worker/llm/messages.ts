/** Assembles the messages for a model. Pure; `memory.ts` requests summaries. */

import { isAudio, isImage, type MediaSupport, type StoredUpload, storedUploads } from '#contract/predictions/uploads.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { itemsOf, textOf } from '../inputs/node-inputs.ts'
import type { ModelMessage } from '../models/messages.ts'
import { withSpeaker } from '../models/provider-message.ts'
import { fileReference } from './file-parts.ts'

interface MessageParts {
  /** From the prediction call; precedes all other messages, for the run's first model only. */
  history: readonly ChatTurn[]
  /** The node's configured messages. */
  configured: ChatTurn[]
  /** The conversation after applying the memory settings. */
  memory: readonly ChatTurn[]
  /** The node's Input message. */
  userMessage: string
}

/** Returns system messages first, then developer messages, as most providers require, then the conversation in order. Omits empty messages. */
export function assemble({ history, configured, memory, userMessage }: MessageParts): ChatTurn[] {
  const last: ChatTurn[] = [{ role: 'user', content: userMessage }]
  const turns = [...history, ...configured, ...memory, ...last].filter(isNotEmpty)
  const {
    system = [],
    developer = [],
    others = [],
  } = Object.groupBy(turns, ({ role }) => (role === 'system' || role === 'developer' ? role : 'others'))
  return [...system, ...developer, ...others]
}

const isNotEmpty = (turn: ChatTurn) => turn.content.trim() !== '' || filesOf(turn).length > 0

export function configuredMessages(value: unknown): ChatTurn[] {
  return itemsOf(value).flatMap(({ role, content }) => (isRole(role) ? [{ role, content: textOf(content) }] : []))
}

/** Files of a conversation sent to a model, newest first. */
const MAX_FILES = 10

/**
 * Converts turns to messages for a model. Files are references
 * that `callModel` replaces with their bytes.
 */
export function modelMessages(turns: readonly ChatTurn[], media?: MediaSupport): ModelMessage[] {
  const takes = media ? [...media.sees, ...media.hears] : []
  let room = MAX_FILES
  const fromNewest = turns.toReversed().map((turn) => {
    const files = filesOf(turn).filter(({ type, mime }) => type === 'stored-file:full' || takes.includes(mime))
    const shown = turn.role === 'user' ? files.slice(0, room) : []
    room -= shown.length
    return withSpeaker(turn.name, modelMessage(turn, shown))
  })
  return fromNewest.toReversed()
}

function modelMessage({ role, content }: ChatTurn, files: StoredUpload[]): ModelMessage {
  if (role !== 'user' || files.length === 0) return { role: role === 'developer' ? 'system' : role, content }
  const words = content.trim() === '' ? [] : [{ type: 'text' as const, text: content }]
  return { role, content: [...files.map(fileReference), ...words] }
}

/** Returns the turn's images, audio and text files. */
function filesOf({ additional_kwargs }: ChatTurn): StoredUpload[] {
  const isShown = ({ type, mime }: StoredUpload) => type === 'stored-file:full' || isImage(mime) || isAudio(mime)
  return storedUploads(additional_kwargs?.fileUploads).filter(isShown)
}

function isRole(role: unknown): role is ChatTurn['role'] {
  return role === 'system' || role === 'developer' || role === 'user' || role === 'assistant'
}
