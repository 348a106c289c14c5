import { useEffect, useRef } from 'react'
import { notify } from '../../state/notify.ts'
import { copySelection, lastClipboard, readClipboard } from './clipboard.ts'
import { pasteClipboard, removeSelection } from './commands.ts'
import { isTyping, selectFocused } from './keyboard.ts'
import type { Canvas } from './store.ts'

/** Copy, cut and paste through the browser's clipboard events, which need no permission. */
export function useClipboard(canvas: Canvas, centre: () => { x: number; y: number }) {
  const middle = useRef(centre)
  middle.current = centre
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !window.getSelection()?.isCollapsed) return
      selectFocused(canvas, event.target)
      const text = copySelection(canvas)
      if (text === null) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut') removeSelection(canvas)
    }
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return
      const clipboard = readClipboard(event.clipboardData?.getData('text/plain') || lastClipboard())
      if (!clipboard) return
      event.preventDefault()
      const verdict = pasteClipboard(canvas, clipboard, { at: middle.current() })
      if (!verdict.ok) notify.info(verdict.reason)
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', copy)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', copy)
      document.removeEventListener('paste', paste)
    }
  }, [canvas])
}
