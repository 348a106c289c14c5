/** Whether a flow reads the workspace's variables, itself or through a flow that it calls. */
import type { FlowDocument } from '#contract/flow/document/document.ts'

/** What names them, and what calls flows. */
const READERS = ['$vars', 'executeFlowAgentflow', 'ChatflowTool', 'agentAsTool']

export function readsVariables({ nodes }: FlowDocument): boolean {
  return nodes.some(({ data }) => {
    const inputs = JSON.stringify(data.inputs ?? {})
    return READERS.some((reader) => data.name === reader || inputs.includes(reader))
  })
}
