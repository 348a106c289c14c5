import { FlowsPage } from '../../flows/FlowsPage.tsx'

/** The list of chat flows in the workspace. */
export const ChatflowsPage = () => (
  <FlowsPage
    type="CHATFLOW"
    permissions="chatflows"
    title="Chatflows"
    purpose="Build chatbots from models, memory, tools and documents."
    noun="chat flow"
    emptyText="Connect a model to a chain or an agent, and start chatting. Flows exported from Flowise can be imported."
  />
)
