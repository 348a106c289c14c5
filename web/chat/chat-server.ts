/** The server side of a chat: sends and stores its messages. */
import type { CreateFeedback, Feedback } from '#contract/chats/feedback.ts'
import { api } from '../api/client.ts'
import { loadChat, type StoredChat, saveChat } from './chat-storage.ts'
import { type StoredMessage, type Turn, toTurns } from './conversation.ts'
import { readAlong } from './read-along.ts'

interface Waiting {
  chatId: string
  executionId: string
  /** The id of the question. */
  question: string
}

export interface ChatServer {
  /** Returns the chat of this browser, or a new one. */
  load(): StoredChat
  save(chat: StoredChat, turns: readonly Turn[]): void
  turnsOf(chat: StoredChat): Promise<Turn[]>
  /** Runs the flow. */
  ask(body: object, signal: AbortSignal): Promise<Response>
  /** Reads along with a run that was started before. Returns whether there was anything to read. */
  follow(turns: Turn[], signal: AbortSignal): Promise<boolean>
  /** Opens the stream of a run that waits for somebody: what follows its question. */
  wait(waiting: Waiting, signal: AbortSignal): Promise<Response>
  /** The server tells who decided what. */
  keepsMessages: boolean
  stop(chatId: string): Promise<unknown>
  /** Streams the sound of an answer. */
  speak(answer: { chatId: string; chatMessageId: string }, signal: AbortSignal): Promise<Response>
  rate(given: Omit<CreateFeedback, 'chatflowid'>): Promise<Feedback>
  /** Deletes the messages. */
  clear(chatId: string): Promise<unknown>
}

/** The draft of a flow, for members: the server keeps the messages. @param flow its `id` is empty until it is stored */
export const memberServer = (flow: { id: string }): ChatServer => ({
  load: () => loadChat(flow.id),
  save: (chat) => saveChat(flow.id, chat),
  turnsOf: async ({ chatId }) =>
    toTurns(
      await api.get<StoredMessage[]>(`/internal-chatmessage/${flow.id}`, { chatId, order: 'ASC', feedback: true }),
    ),
  ask: (body, signal) => api.stream(`/internal-prediction/${flow.id}`, body, signal),
  follow: (turns, signal) => readAlong(flow.id, turns, signal),
  wait: ({ executionId, question }, signal) =>
    api.stream(
      `/internal-prediction/${flow.id}/${executionId}?${new URLSearchParams({ question })}`,
      undefined,
      signal,
    ),
  keepsMessages: true,
  stop: (chatId) => api.put(`/chatmessage/abort/${flow.id}/${chatId}`),
  speak: (answer, signal) => api.stream('/text-to-speech/generate', { chatflowId: flow.id, ...answer }, signal),
  rate: (given) => api.post<Feedback>('/feedback', { chatflowid: flow.id, ...given }),
  clear: (chatId) => api.delete(`/chatmessage/${flow.id}`, { chatId }),
})
