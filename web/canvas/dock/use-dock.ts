/** The dock beside the canvas: which of its tabs is shown, and how wide it is. Both are remembered. */
import { useState } from 'react'

export type DockTab = 'settings' | 'chat' | 'checklist' | 'outline'

const TAB = 'canvas:dock'
const WIDTH = 'canvas:dockWidth'
export const NARROWEST = 320
const DEFAULT_WIDTH = 380
const PHONE = '(max-width: 48em)'

export interface Dock {
  /** Null while it is closed. */
  tab: DockTab | null
  /** In pixels. */
  width: number
  /** The element that gets the focus as soon as it is rendered. */
  focus: { selector: string } | null
  /** Shows a tab. The selector names what gets the focus. */
  open: (tab: DockTab, selector?: string) => void
  close: () => void
  resize: (width: number) => void
}

/** Starts as it was left. A new flow has no chat yet, and without a selected node there are no settings. */
export function useDock(isNew: boolean): Dock {
  const [shown, setShown] = useState<Pick<Dock, 'tab' | 'focus'>>(() => ({ tab: rememberedTab(isNew), focus: null }))
  const [width, setWidth] = useState(() => allowedWidth(Number(localStorage.getItem(WIDTH)) || DEFAULT_WIDTH))
  const show = (tab: DockTab | null, selector?: string) => {
    localStorage.setItem(TAB, tab ?? '')
    setShown({ tab, focus: selector === undefined ? null : { selector } })
  }
  return {
    ...shown,
    width,
    open: show,
    close: () => show(null),
    resize: (wanted) => {
      const next = allowedWidth(wanted)
      localStorage.setItem(WIDTH, String(next))
      setWidth(next)
    },
  }
}

function rememberedTab(isNew: boolean): DockTab | null {
  // A sheet would cover a phone's canvas.
  if (window.matchMedia(PHONE).matches) return null
  const kept: readonly DockTab[] = isNew ? ['checklist', 'outline'] : ['chat', 'checklist', 'outline']
  return kept.find((tab) => tab === localStorage.getItem(TAB)) ?? null
}

/** The canvas keeps at least a third of the window. */
export const widestDock = (window: number): number => Math.max(NARROWEST, Math.round(window * 0.55))

const allowedWidth = (width: number): number =>
  Math.round(Math.min(Math.max(width, NARROWEST), widestDock(window.innerWidth)))
