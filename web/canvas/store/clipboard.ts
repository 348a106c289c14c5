/** Copy and paste, also between tabs: as JSON text in the system's clipboard, and in this page where that is not allowed. */

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

/** The nodes in a clipboard's text; null when it holds something else. */
export function readClipboard(text: string): Clipboard | null {
  try {
    const { data } = schema.safeParse(JSON.parse(text))
    return data ? { nodes: data.nodes, edges: data.edges } : null
  } catch {
    return null
  }
}

/** What was copied last in this page: used where the browser does not let the system's clipboard be read. */
let lastCopied = ''

export const lastClipboard = (): string => lastCopied

/** The text to put into the clipboard for the selected nodes; null when none is selected. */
export function copySelection(canvas: Canvas): string | null {
  const { nodes } = canvas.state.selection
  if (nodes.length === 0) return null
  lastCopied = printClipboard(clipboardOf(canvas.state.flow, nodes))
  announce(canvas, nodes.length === 1 ? 'Copied 1 node' : `Copied ${nodes.length} nodes`)
  return lastCopied
}
