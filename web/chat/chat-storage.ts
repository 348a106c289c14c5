/** What the browser remembers of a flow's chat: its chatId and lead. */

export interface StoredChat {
  chatId: string
  lead?: unknown
}

const keyOf = (flowId: string) => `${flowId}_INTERNAL`

/** The flow's stored chat, or a new one when there is none or it cannot be read. */
export function loadChat(flowId: string, storage: Storage = localStorage): StoredChat {
  try {
    const stored = JSON.parse(storage.getItem(keyOf(flowId)) ?? '') as StoredChat
    if (typeof stored.chatId === 'string') return stored
  } catch {}
  return { chatId: crypto.randomUUID() }
}

export function saveChat(flowId: string, chat: StoredChat, storage: Storage = localStorage): void {
  try {
    storage.setItem(keyOf(flowId), JSON.stringify(chat))
  } catch {}
}
