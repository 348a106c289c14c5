/** Ids of chats: who knows a random one is in the chat. */
import * as z from 'zod'

const randomUuid = z.union([z.uuidv4(), z.uuidv7()])

/**
 * Returns true for a random UUID, alone or after a name, as Flowise's widget has it: `customer-1+<uuid>`. The id of the
 * flow is no secret.
 */
export function isRandomChatId(chatId: string, flowId: string): boolean {
  const uuid = chatId.slice(chatId.lastIndexOf('+') + 1).toLowerCase()
  return uuid !== flowId.toLowerCase() && randomUuid.safeParse(uuid).success
}

/** Tells an anonymous caller why a chat was not continued. */
export const GUESSABLE_CHAT =
  'chatId: Others can guess this id, so this is a new conversation. Send the chatId of this answer, or make random UUIDs.'
