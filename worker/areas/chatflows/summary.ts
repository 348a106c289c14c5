/** What is kept of a flow's document for lists. */
import type { FlowData } from '#contract/chatflows/chatflows.ts'
import type { FlowSummary } from '#contract/chatflows/flow-summary.ts'
import { isColor } from '#contract/data/color.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { sketchFlow } from './sketch.ts'

const MAX_COLORS = 6

/** The columns of a flow that change with its document. */
export const documentColumns = ({ text, document }: FlowData) => ({ flowData: text, summary: summarizeFlow(document) })

export function summarizeFlow(document: FlowDocument): FlowSummary {
  const nodes = document.nodes.filter(({ data }) => !isStickyNote(data))
  const colors = new Set(nodes.flatMap(({ data }) => (isColor(data.color) ? data.color : [])))
  return { nodes: nodes.length, colors: [...colors].slice(0, MAX_COLORS), sketch: sketchFlow(document) }
}
