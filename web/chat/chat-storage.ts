/** The chatId and lead of a flow's chat in local storage. */

export interface StoredChat {
  chatId: string
  lead?: unknown
}

const keyOf = (flowId: string) => `${flowId}_INTERNAL`

/** Returns the stored chat of a flow, or a new one when none can be read. A flow that is not stored has the id ''. */
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
