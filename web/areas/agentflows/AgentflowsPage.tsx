import { agentflowFacts } from '#contract/flow/kinds/agentflow/facts.ts'
import { FlowsPage } from '../../flows/FlowsPage.tsx'
import { UnsupportedFlowsLink } from './UnsupportedFlowsLink.tsx'

/** The list of agent flows in the workspace. */
export const AgentflowsPage = () => (
  <FlowsPage
    type={agentflowFacts.type}
    purpose="Build agents and workflows visually."
    emptyText="Add a few nodes, connect them, and start chatting. No API key needed."
  >
    <UnsupportedFlowsLink />
  </FlowsPage>
)
