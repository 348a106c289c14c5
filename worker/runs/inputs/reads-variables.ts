import type { FlowDocument } from '#contract/flow/document/document.ts'

/** References to variables, and components whose code is elsewhere: other flows and tools of the workspace. */
const READERS = ['$vars', 'customTool', 'mcpServerId', 'executeFlowAgentflow', 'ChatflowTool', 'agentAsTool']

/** Returns true when a flow may read the workspace's variables, itself or through a flow that it calls. */
export function readsVariables({ nodes }: FlowDocument): boolean {
  return nodes.some(({ data }) => {
    const inputs = JSON.stringify(data.inputs ?? {})
    return READERS.some((reader) => data.name === reader || inputs.includes(reader))
  })
}
