/** Appearance of a chat's messages, for members of the workspace, or for anyone as the flow's owner wants it. */
import { createContext } from 'react'

export interface BubbleLook {
  background?: string
  color?: string
  /** `dark` for a dark background: what stands on it is drawn for dark mode. */
  mode?: 'light' | 'dark'
  avatar?: string
}

export interface ChatLookValue {
  /** Answers lead to their runs and to what failed in them. */
  forMembers: boolean
  /** Opens the settings of a node, where there is a canvas. */
  openNode?: (nodeId: string) => void
  rates: boolean
  showsSteps: boolean
  sourcesTitle?: string
  /** Shown in place of the error of a failed answer. */
  errorMessage?: string
  question: BubbleLook
  answer: BubbleLook
}

export const MEMBER_LOOK: ChatLookValue = {
  forMembers: true,
  rates: true,
  showsSteps: true,
  question: {},
  answer: {},
}

export const ChatLook = createContext(MEMBER_LOOK)
