/** A published flow, for anyone who may call it: the browser keeps the messages. */
import type { Feedback } from '#contract/chats/feedback.ts'
import type { Attachment } from '#contract/predictions/uploads.ts'
import { callPublic } from '../../api/public-client.ts'
import type { ChatServer } from '../../chat/chat-server.ts'
import { chatIn, type Lead, readItem, type StoredChat, writeItem } from '../../chat/chat-storage.ts'
import { type StoredMessage, toTurns } from '../../chat/conversation.ts'
import { storedMessages } from './stored-turns.ts'

interface StoredConversation extends StoredChat {
  chatHistory?: StoredMessage[]
}

/** As Flowise's widget calls it. */
const keyOf = (flowId: string) => `${flowId}_EXTERNAL`

interface Options {
  /** Each visit begins a new conversation. */
  beginsAnew?: boolean
  storage?: Storage
}

export function publicServer(flowId: string, { beginsAnew = false, storage = localStorage }: Options = {}): ChatServer {
  const read = () => chatIn<StoredConversation>(readItem(keyOf(flowId), storage))
  return {
    load() {
      const { chatId, lead } = read() ?? {}
      return { chatId: beginsAnew || !chatId ? crypto.randomUUID() : chatId, ...(lead && { lead }) }
    },
    save(chat, turns) {
      const chatHistory = storedMessages(turns, { chatflowid: flowId, chatId: chat.chatId })
      writeItem(keyOf(flowId), { ...chat, chatHistory }, storage)
    },
    async turnsOf({ chatId }) {
      const stored = read()
      return stored?.chatId === chatId && Array.isArray(stored.chatHistory) ? toTurns(stored.chatHistory) : []
    },
    ask: (body, signal) => callPublic('POST', `/prediction/${flowId}`, { body, signal }),
    follow: async () => false,
    wait: ({ executionId, ...named }, signal) =>
      callPublic('GET', `/prediction/${flowId}/${executionId}?${new URLSearchParams(named)}`, { signal }),
    keepsMessages: false,
    stop: (chatId) => callPublic('PUT', `/chatmessage/abort/${flowId}/${chatId}`, { body: {} }),
    speak: (answer, signal) =>
      callPublic('POST', '/text-to-speech/generate', { body: { chatflowId: flowId, ...answer }, signal }),
    rate: async (given) =>
      (await callPublic('POST', '/feedback', { body: { chatflowid: flowId, ...given } })).json() as Promise<Feedback>,
    clear: async () => {},
  }
}

export async function leaveLead(flowId: string, chatId: string, lead: Lead): Promise<void> {
  await callPublic('POST', '/leads', { body: { chatflowid: flowId, chatId, ...lead } })
}

/** Returns the text of a file that the server can read. Rejects with what is wrong with it. */
export async function readFileText(flowId: string, chatId: string, file: File): Promise<string> {
  const body = new FormData()
  body.append('files', file)
  const response = await callPublic('POST', `/attachments/${flowId}/${encodeURIComponent(chatId)}`, { body })
  const [read] = (await response.json()) as Attachment[]
  return read?.content ?? ''
}
