import { createContext } from 'react'
import type { AskForSound } from './voice.ts'

/** Requests the speech of an answer; null where the flow does not speak. */
export const ListeningContext = createContext<AskForSound | null>(null)
