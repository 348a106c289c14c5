import { createContext } from 'react'

export interface Listening {
  flowId: string
  chatId: string
}

/** The chat whose answers can be listened to; null where the flow does not speak. */
export const ListeningContext = createContext<Listening | null>(null)
