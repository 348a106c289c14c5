import { useEffect, useRef } from 'react'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { notify } from '../../state/notify.ts'
import type { Point } from '../geometry/boxes.ts'
import { copySelection, lastClipboard, readClipboard } from '../store/clipboard.ts'
import { pasteClipboard, removeSelection } from '../store/commands.ts'
import type { Canvas } from '../store/store.ts'
import { selectFocused } from './focus.ts'
import { isTyping } from './keyboard.ts'

interface ClipboardView {
  /** Returns where the top left corner of these nodes goes. */
  placeFor: (nodes: readonly FlowNode[]) => Point
  /** Moves the view unless all of the nodes are visible. */
  showAll: (ids: readonly string[]) => void
}

/** Copy, cut and paste through the browser's clipboard events, which need no permission. */
export function useClipboard(canvas: Canvas, view: ClipboardView) {
  const latest = useRef(view)
  latest.current = view
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
      const verdict = pasteClipboard(canvas, clipboard, { at: latest.current.placeFor(clipboard.nodes) })
      if (verdict.ok) latest.current.showAll(canvas.state.selection.nodes)
      else notify.info(verdict.reason)
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
