/** Copy and paste as JSON text in the system clipboard, or within the page where the browser refuses access. */

import * as z from 'zod'
import { flowEdgeSchema, flowNodeSchema } from '#contract/flow/document/document.ts'
import { type Clipboard, clipboardOf } from '#contract/flow/transfer/duplicate.ts'
import { announce, type Canvas } from './store.ts'

const schema = z.object({
  heddle: z.literal('nodes'),
  nodes: z.array(flowNodeSchema).min(1),
  edges: z.array(flowEdgeSchema),
})

export const printClipboard = (clipboard: Clipboard): string => JSON.stringify({ heddle: 'nodes', ...clipboard })

/** Returns the nodes in a clipboard text, null for any other text. */
export function readClipboard(text: string): Clipboard | null {
  try {
    const { data } = schema.safeParse(JSON.parse(text))
    return data ? { nodes: data.nodes, edges: data.edges } : null
  } catch {
    return null
  }
}

/** The last copy in this page, for browsers that refuse to read the system clipboard. */
let lastCopied = ''

export const lastClipboard = (): string => lastCopied

/** Returns the clipboard text of the selected nodes, null when none is selected. */
export function copySelection(canvas: Canvas): string | null {
  const { nodes } = canvas.state.selection
  if (nodes.length === 0) return null
  lastCopied = printClipboard(clipboardOf(canvas.state.flow, nodes))
  announce(canvas, nodes.length === 1 ? 'Copied 1 node' : `Copied ${nodes.length} nodes`)
  return lastCopied
}
