import { FlowsPage } from '../../flows/FlowsPage.tsx'
import { UnsupportedFlowsLink } from './UnsupportedFlowsLink.tsx'

/** The list of agent flows in the workspace. */
export const AgentflowsPage = () => (
  <FlowsPage
    type="AGENTFLOW"
    permissions="agentflows"
    title="Agentflows"
    purpose="Build agents and workflows visually."
    noun="agent flow"
    emptyText="Add a few nodes, connect them, and start chatting. No API key needed."
  >
    <UnsupportedFlowsLink />
  </FlowsPage>
)
