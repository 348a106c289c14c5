import type { Chatflow } from '#contract/chatflows.ts'

export interface FlowSummary {
  /** Notes are not counted. */
  nodes: number
  /** The colours of the first few kinds of node. */
  colors: string[]
}

interface Sketch {
  nodes?: { data?: { name?: string; color?: string } }[]
}

/** What a card says of a flow; one that cannot be read is empty. */
export function summaryOf({ flowData }: Pick<Chatflow, 'flowData'>): FlowSummary {
  const nodes = (read(flowData).nodes ?? []).filter((node) => !node.data?.name?.startsWith('stickyNote'))
  const colors = nodes.flatMap((node) => node.data?.color ?? [])
  return { nodes: nodes.length, colors: [...new Set(colors)].slice(0, 6) }
}

function read(flowData: string): Sketch {
  try {
    return (JSON.parse(flowData) ?? {}) as Sketch
  } catch {
    return {}
  }
}
