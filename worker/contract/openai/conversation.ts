/** Reads the messages of a chat completion as a question to a flow, with what was said before. Pure. */

import { isRecord, isTooDeep, tryParseJson } from '../data/json.ts'
import { HeddleError } from '../errors.ts'
import { cleanName, MAX_UPLOADS, type Upload } from '../predictions/uploads.ts'
import type { CallerToolCall, ToolExchange } from '../runs/caller-tools.ts'
import type { ChatTurn } from '../runs/events.ts'
import type { CompletionMessage, CompletionToolCall } from './chat-completions.ts'

interface AskedConversation {
  question: string
  /** Oldest first. */
  history: ChatTurn[]
  /** What was called and answered since the question. */
  exchange: ToolExchange[]
  /** The files of all messages, newest first; older ones than fit a call are left out. */
  uploads: Upload[]
}

/** For all messages of a call, without their files. */
const MAX_CHARACTERS = 1024 * 1024

/** Throws `bad_request` that names the message. */
export function toConversation(messages: readonly CompletionMessage[]): AskedConversation {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  if (last < 0) throw wrong(messages.length - 1, 'The last message must be from the user')
  const exchange = readExchange(messages, last + 1)
  const uploads: Upload[] = []
  const turns: ChatTurn[] = []
  for (let index = last; index >= 0; index--) {
    const turn = toTurn(messages[index] as CompletionMessage, index, { uploads, isQuestion: index === last })
    if (turn.content.trim() !== '' || index === last) turns.unshift(turn)
  }
  const characters = turns.reduce((sum, { content }) => sum + content.length, JSON.stringify(exchange).length)
  if (characters > MAX_CHARACTERS) {
    throw new HeddleError('bad_request', `messages: A call may have at most ${MAX_CHARACTERS} characters`, {
      field: 'messages',
    })
  }
  return { question: turns.at(-1)?.content ?? '', history: turns.slice(0, -1), exchange, uploads }
}

/** Reads calls of the caller's tools and their results. Every call must have its result. */
function readExchange(messages: readonly CompletionMessage[], from: number): ToolExchange[] {
  const open = new Map<string, string>()
  const exchange = messages.slice(from).map((message, offset): ToolExchange => {
    const index = from + offset
    if (message.role === 'assistant' && message.tool_calls?.length && open.size === 0) {
      const calls = message.tool_calls.map((call, position) => readCall(call, index, position))
      for (const { id, name } of calls) open.set(id, name)
      return { role: 'assistant', content: textOf(message.content ?? ''), calls }
    }
    const name = message.role === 'tool' ? open.get(message.tool_call_id) : undefined
    if (message.role !== 'tool' || name === undefined) {
      throw wrong(index, 'After the last message of the user, only tool calls and their results may follow')
    }
    open.delete(message.tool_call_id)
    return { role: 'tool', id: message.tool_call_id, name, content: textOf(message.content) }
  })
  const [missing] = open.keys()
  if (missing !== undefined) throw wrong(messages.length - 1, `The result of the tool call ${missing} is missing`)
  return exchange
}

function readCall({ id, function: called }: CompletionToolCall, message: number, position: number): CallerToolCall {
  const input = called.arguments.trim() === '' ? {} : tryParseJson(called.arguments)
  if (isRecord(input) && !isTooDeep(input)) return { id, name: called.name, input }
  throw wrong(message, 'The arguments must be the JSON text of an object', `.tool_calls.${position}.function.arguments`)
}

interface Reading {
  uploads: Upload[]
  /** Files of earlier messages leave their names in the text. */
  isQuestion: boolean
}

function toTurn(message: CompletionMessage, index: number, { uploads, isQuestion }: Reading): ChatTurn {
  switch (message.role) {
    case 'tool':
      return { role: 'user', content: `(result of ${message.tool_call_id}: ${textOf(message.content)})` }
    case 'assistant': {
      const calls = (message.tool_calls ?? []).map(
        ({ id, function: called }) => `(called ${called.name} as ${id} with ${called.arguments})`,
      )
      return { role: 'assistant', content: [textOf(message.content ?? ''), ...calls].filter(Boolean).join('\n') }
    }
    case 'user': {
      const names = readFiles(message.content, index).flatMap((upload) => {
        if (uploads.length === MAX_UPLOADS) return []
        uploads.push(upload)
        return isQuestion ? [] : [`[${upload.name}]`]
      })
      return { role: 'user', content: [...names, textOf(message.content)].filter(Boolean).join('\n') }
    }
    default:
      return { role: message.role, content: textOf(message.content) }
  }
}

type Content = NonNullable<CompletionMessage['content']>
type Part = Exclude<Content, string>[number]

function textOf(content: Content): string {
  if (typeof content === 'string') return content
  const texts = (content as Part[]).flatMap((part) =>
    part.type === 'text' ? [part.text] : part.type === 'refusal' ? [part.refusal] : [],
  )
  return texts.join('\n')
}

function readFiles(content: Content, message: number): Upload[] {
  if (typeof content === 'string') return []
  return (content as Part[]).flatMap((part, index) => {
    const number = `${message + 1}-${index + 1}`
    if (part.type === 'image_url') return [imageOf(part.image_url.url, number)]
    if (part.type === 'input_audio') return [audioOf(part.input_audio, number)]
    return part.type === 'file' ? [readFile(part.file, { message, index, number })] : []
  })
}

function imageOf(url: string, number: string): Upload {
  const isData = url.startsWith('data:')
  const extension = /^data:image\/([a-z]{1,10});/.exec(url)?.[1] ?? 'png'
  return { type: isData ? 'file' : 'url', name: isData ? `image-${number}.${extension}` : `image-${number}`, data: url }
}

function audioOf({ data, format }: { data: string; format: 'wav' | 'mp3' }, number: string): Upload {
  const mime = format === 'wav' ? 'audio/wav' : 'audio/mpeg'
  return { type: 'audio', name: `audio-${number}.${format}`, mime, data: `data:${mime};base64,${data}` }
}

interface SentFile {
  filename?: string | null | undefined
  file_data?: string | null | undefined
}

function readFile({ filename, file_data }: SentFile, at: { message: number; index: number; number: string }): Upload {
  if (!file_data?.startsWith('data:')) {
    throw wrong(at.message, 'Send the file itself, as a data: URL in "file_data"', `.content.${at.index}.file`)
  }
  return { type: 'file', name: cleanName(filename || `file-${at.number}`), data: file_data }
}

function wrong(message: number, problem: string, more = ''): HeddleError {
  const field = `messages.${message}${more}`
  return new HeddleError('bad_request', `${field}: ${problem}`, { field })
}
