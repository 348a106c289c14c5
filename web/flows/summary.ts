import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { isColor } from '#contract/data/color.ts'

interface FlowSummary {
  /** Number of nodes without sticky notes. */
  nodes: number
  /** Colors of up to six node types. */
  colors: string[]
}

interface FlowShape {
  nodes?: { data?: { name?: string; color?: string } }[]
}

/** Returns the summary of a flow for its card; empty when the flow can't be parsed. */
export function summaryOf({ flowData }: Pick<Chatflow, 'flowData'>): FlowSummary {
  const nodes = (read(flowData).nodes ?? []).filter((node) => !node.data?.name?.startsWith('stickyNote'))
  const colors = nodes.flatMap(({ data }) => (isColor(data?.color) ? data.color : []))
  return { nodes: nodes.length, colors: [...new Set(colors)].slice(0, 6) }
}

function read(flowData: string): FlowShape {
  try {
    return (JSON.parse(flowData) ?? {}) as FlowShape
  } catch {
    return {}
  }
}
