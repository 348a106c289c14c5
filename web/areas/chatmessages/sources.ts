import type { StoredMessage } from '#contract/chats/chatmessages.ts'

type ChatType = StoredMessage['chatType']

/** Sources of messages with their labels. */
export const SOURCES: readonly (readonly [type: ChatType, label: string])[] = [
  ['EXTERNAL', 'Chat page or API'],
  ['INTERNAL', 'Test chat'],
  ['WEBHOOK', 'Webhook'],
  ['SCHEDULED', 'Schedule'],
  ['EVALUATION', 'Evaluation'],
]

export const sourceLabel = (type: ChatType): string => SOURCES.find(([known]) => known === type)?.[1] ?? type
