import { FlowsPage } from '../../flows/FlowsPage.tsx'

/** The list of chat flows in the workspace. */
export const ChatflowsPage = () => (
  <FlowsPage
    type="CHATFLOW"
    permissions="chatflows"
    title="Chatflows"
    purpose="Connect models, memory, tools and documents into a flow that answers."
    noun="chat flow"
    emptyText="Connect a model to a chain or an agent, and start chatting. Flows exported from Flowise can be imported."
  />
)
