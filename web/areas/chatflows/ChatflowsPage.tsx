import { chatflowFacts } from '#contract/flow/kinds/chatflow/facts.ts'
import { FlowsPage } from '../../flows/FlowsPage.tsx'

/** The list of chat flows in the workspace. */
export const ChatflowsPage = () => (
  <FlowsPage
    type={chatflowFacts.type}
    purpose="Build chatbots from models, memory, tools and documents."
    emptyText="Connect a model to a chain or an agent, and start chatting. Flows exported from Flowise can be imported."
  />
)
