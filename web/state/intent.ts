/** Intents, which a page carries out as soon as it is open: `ask('describe')` and then navigate. */
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { proxy } from 'valtio/vanilla'

export type Intent =
  | 'describe'
  | 'chat'
  | 'schedule'
  | 'webhook'
  | 'credential'
  | 'variable'
  | 'apikey'
  | 'assistant'
  | 'tool'
  | 'documentStore'

const state = proxy<{ asked: Intent | null }>({ asked: null })

export function ask(intent: Intent): void {
  state.asked = intent
}

/** Calls `act` when this was asked for, here or on the page before. */
export function useIntent(intent: Intent, act: () => void): void {
  const { asked } = useSnapshot(state)
  useEffect(() => {
    if (asked !== intent) return
    state.asked = null
    act()
  })
}
