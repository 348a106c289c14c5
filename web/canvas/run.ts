/** What the canvas knows of the last run: fed by the events that the chat receives. */

import { ref } from 'valtio'
import type { RunEvent, RunState, StepStatus, TraceItem } from '#contract/events.ts'

export interface NodeRun {
  status: StepStatus
  error?: string
  /** Milliseconds. */
  time?: number
  tokens?: number
  /** US dollars; absent when the price is not known. */
  cost?: number
}

export interface RunView {
  state: RunState | null
  nodes: Record<string, NodeRun>
  /** The trace, oldest first; a node inside a loop has several items. */
  trace: readonly TraceItem[]
}

export const noRun = (): RunView => ({ state: null, nodes: {}, trace: ref([]) })

/** Takes one event of a run into the view. */
export function followRun(view: RunView, event: RunEvent): void {
  if (event.event === 'agentFlowEvent') {
    if (event.data === 'INPROGRESS') Object.assign(view, noRun())
    else stopUnfinished(view)
    view.state = event.data
  }
  if (event.event === 'nextAgentFlow') {
    const { nodeId, status, error } = event.data
    view.nodes[nodeId] = { ...view.nodes[nodeId], status, ...(error === undefined ? {} : { error }) }
  }
  if (event.event === 'agentFlowExecutedData') {
    view.trace = ref(event.data)
    for (const item of event.data) view.nodes[item.nodeId] = nodeRun(item)
  }
}

/** A run that ended leaves nothing lit: what was still going is shown as stopped. */
function stopUnfinished(view: RunView): void {
  for (const run of Object.values(view.nodes)) if (run.status === 'INPROGRESS') run.status = 'STOPPED'
}

function nodeRun({ status, data }: TraceItem): NodeRun {
  const { timeMetadata, usageMetadata } = data.output ?? {}
  return {
    status,
    ...(data.error === undefined ? {} : { error: data.error }),
    ...(timeMetadata === undefined ? {} : { time: timeMetadata.delta }),
    ...(usageMetadata === undefined ? {} : { tokens: usageMetadata.total_tokens }),
    ...(usageMetadata?.total_cost === undefined ? {} : { cost: usageMetadata.total_cost }),
  }
}
