/**
 * A visitor's conversation in the site's local storage, under the key and in the shape of Flowise's widget, so that a
 * site can change from one to the other. Pure but for the storage.
 */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { HumanInputAction } from '#contract/runs/events.ts'
import { documentsIn } from '#contract/runs/sources.ts'
import { emptyAnswer, type Turn } from '../chat/conversation.ts'
import type { Lead } from './api.ts'

export interface StoredChat {
  chatId: string
  lead?: Lead
  turns: Turn[]
}

/** Older ones are forgotten. */
const MAX_TURNS = 50

const keyOf = (flow: string) => `${flow}_EXTERNAL`

/** Returns a new chat when none can be read. */
export function loadChat(flow: string): StoredChat {
  const stored = read(keyOf(flow))
  if (!isRecord(stored) || typeof stored.chatId !== 'string' || stored.chatId === '') return newChat()
  const { chatId, lead, chatHistory } = stored
  const turns = toTurns(Array.isArray(chatHistory) ? chatHistory.filter(isRecord) : [])
  return { chatId: chatId.slice(0, 200), ...(isRecord(lead) && { lead: leadOf(lead) }), turns }
}

export const newChat = (lead?: Lead): StoredChat => ({ chatId: crypto.randomUUID(), ...(lead && { lead }), turns: [] })

/** A site may forbid its pages to store anything: then the chat ends with the page. */
export function saveChat(flow: string, { chatId, lead, turns }: StoredChat): void {
  const chatHistory = turns.slice(-MAX_TURNS).flatMap(toMessages)
  try {
    localStorage.setItem(keyOf(flow), JSON.stringify({ chatHistory, chatId, ...(lead && { lead }) }))
  } catch {}
}

function read(key: string): unknown {
  try {
    return tryParseJson(localStorage.getItem(key) ?? '')
  } catch {
    return undefined
  }
}

function toMessages({ question, files, answer }: Turn): object[] {
  const asked = {
    type: 'userMessage',
    message: question,
    fileUploads: files?.map(({ upload: { name } }) => ({ name })),
  }
  if (answer.state === 'running' || answer.state === 'failed') return [asked]
  const { text, messageId, executionId, sources, opinion, action, state, error } = answer
  const said = {
    type: 'apiMessage',
    message: text,
    messageId,
    executionId,
    ...(sources.length > 0 && { sourceDocuments: sources }),
    ...(opinion && { rating: opinion.rating }),
    ...(state === 'waiting' && { action, asked: answer.asked }),
    ...(state === 'stopped' && { stopped: true, error }),
  }
  return [asked, said]
}

type Message = Record<string, unknown>

/** An answer without a question, which is the welcome, is left out. A question without an answer has failed. */
function toTurns(messages: Message[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.type === 'userMessage') turns.push(askedTurn(message, turns.length))
    const last = turns.at(-1)
    if (message.type === 'apiMessage' && last?.answer.state === 'failed') last.answer = storedAnswer(message)
  }
  return turns
}

const askedTurn = ({ message, fileUploads }: Message, index: number): Turn => ({
  id: `stored-${index}`,
  question: text(message),
  files: namesIn(fileUploads).map((name) => ({ upload: { type: 'stored-file', name } })),
  answer: { ...emptyAnswer(), isLive: false, state: 'failed', error: 'The answer got lost. Ask again.' },
})

function storedAnswer(message: Message): Turn['answer'] {
  const { messageId, executionId, rating, action, asked, stopped, error } = message
  const isWaiting = isQuestion(action)
  return {
    ...emptyAnswer(),
    isLive: false,
    state: isWaiting ? 'waiting' : stopped === true ? 'stopped' : 'done',
    text: text(message.message),
    ...(typeof messageId === 'string' && { messageId }),
    ...(typeof executionId === 'string' && { executionId }),
    ...(typeof error === 'string' && { error }),
    sources: documentsIn(message.sourceDocuments),
    ...((rating === 'THUMBS_UP' || rating === 'THUMBS_DOWN') && { opinion: { rating, content: '' } }),
    ...(isWaiting && { action }),
    asked: Object.fromEntries(Object.entries(isRecord(asked) ? asked : {}).map(([path, each]) => [path, text(each)])),
  }
}

function isQuestion(action: unknown): action is HumanInputAction {
  if (!isRecord(action) || !isRecord(action.mapping) || !isRecord(action.data)) return false
  const { mapping, data } = action
  return typeof mapping.approve === 'string' && typeof mapping.reject === 'string' && isRecord(data.input)
}

function leadOf({ name, email, phone }: Record<string, unknown>): Lead {
  return Object.fromEntries(
    Object.entries({ name, email, phone }).filter(([, value]) => typeof value === 'string' && value !== ''),
  )
}

const namesIn = (files: unknown) =>
  Array.isArray(files)
    ? files.flatMap((file) => (isRecord(file) && typeof file.name === 'string' ? [file.name] : []))
    : []
const text = (value: unknown) => (typeof value === 'string' ? value : '')
