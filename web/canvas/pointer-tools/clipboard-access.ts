/** Copy and paste from menus, where the browser may ask for permission. */
import { notify } from '../../state/notify.ts'
import type { Point } from '../geometry/boxes.ts'
import { copySelection, lastClipboard, readClipboard } from '../store/clipboard.ts'
import { pasteClipboard } from '../store/commands.ts'
import type { Canvas } from '../store/store.ts'

export async function copyNodes(canvas: Canvas): Promise<void> {
  const text = copySelection(canvas)
  // Without the permission it can still be pasted within the page.
  if (text !== null) await navigator.clipboard?.writeText(text).catch(() => {})
}

export async function pasteAt(canvas: Canvas, at: Point): Promise<void> {
  const text = await navigator.clipboard?.readText().catch(() => '')
  const clipboard = readClipboard(text || lastClipboard())
  if (!clipboard) {
    notify.info('There are no nodes to paste. Copy some first.')
    return
  }
  const verdict = pasteClipboard(canvas, clipboard, { at })
  if (!verdict.ok) notify.info(verdict.reason)
}
