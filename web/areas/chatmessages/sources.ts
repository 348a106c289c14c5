import type { StoredMessage } from '#contract/chats/chatmessages.ts'

type ChatType = StoredMessage['chatType']

/** Where messages come from, as the page names it. */
export const SOURCES: readonly (readonly [type: ChatType, label: string])[] = [
  ['EXTERNAL', 'Chat page or API'],
  ['INTERNAL', 'Test chat'],
  ['WEBHOOK', 'Webhook'],
  ['SCHEDULED', 'Schedule'],
  ['EVALUATION', 'Evaluation'],
]

export const sourceLabel = (type: ChatType): string => SOURCES.find(([known]) => known === type)?.[1] ?? type
