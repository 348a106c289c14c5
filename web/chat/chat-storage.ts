/** The chatId and lead of a flow's chat in local storage. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'

/** Contact details of a caller; empty when they declined. */
export interface Lead {
  name?: string
  email?: string
  phone?: string
}

export interface StoredChat {
  chatId: string
  lead?: Lead
}

const keyOf = (flowId: string) => `${flowId}_INTERNAL`

/** Returns the stored chat of a flow, or a new one when none can be read. A flow that is not stored has the id ''. */
export function loadChat(flowId: string, storage: Storage = localStorage): StoredChat {
  return chatIn(readItem(keyOf(flowId), storage)) ?? { chatId: crypto.randomUUID() }
}

/** Returns undefined when the value is no stored chat. */
export function chatIn<Stored extends StoredChat>(value: unknown): Stored | undefined {
  return isRecord(value) && typeof value.chatId === 'string' ? (value as unknown as Stored) : undefined
}

export function saveChat(flowId: string, chat: StoredChat, storage: Storage = localStorage): void {
  writeItem(keyOf(flowId), chat, storage)
}

/** Returns undefined when nothing can be read. */
export function readItem(key: string, storage: Storage): unknown {
  try {
    return tryParseJson(storage.getItem(key) ?? '')
  } catch {
    return undefined
  }
}

/** Writes nothing where the browser allows no storage, or has no room left. */
export function writeItem(key: string, value: unknown, storage: Storage): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {}
}
