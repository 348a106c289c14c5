/** Copy and paste as JSON text in the system clipboard, or within the page where the browser refuses access. */

import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { checkEdges, checkNodes } from '#contract/flow/document/check-document.ts'
import { type Clipboard, copyToClipboard } from '#contract/flow/transfer/duplicate.ts'
import { announce, type Canvas } from './store.ts'

const printClipboard = (clipboard: Clipboard): string => JSON.stringify({ heddle: 'nodes', ...clipboard })

/** Returns the nodes in a clipboard text, null for any other text. */
export function readClipboard(text: string): Clipboard | null {
  const value = tryParseJson(text)
  if (!isRecord(value) || value.heddle !== 'nodes' || checkNodes(value.nodes) || checkEdges(value.edges)) return null
  const { nodes, edges } = value as Record<'heddle', string> & Clipboard
  return nodes.length > 0 ? { nodes, edges } : null
}

/** The last copy in this page, for browsers that refuse to read the system clipboard. */
let lastCopied = ''

export const lastClipboard = (): string => lastCopied

/** Returns the clipboard text of the selected nodes, null when none is selected. */
export function copySelection(canvas: Canvas): string | null {
  const { nodes } = canvas.state.selection
  if (nodes.length === 0) return null
  lastCopied = printClipboard(copyToClipboard(canvas.state.flow, nodes))
  announce(canvas, nodes.length === 1 ? 'Copied 1 node' : `Copied ${nodes.length} nodes`)
  return lastCopied
}
