import { createContext } from 'react'
import type { AskForSound } from './voice.ts'

/** How the answers of this chat are asked to be spoken; null where the flow does not speak. */
export const ListeningContext = createContext<AskForSound | null>(null)
