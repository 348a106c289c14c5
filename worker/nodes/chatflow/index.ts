/** The nodes of chat flows that run. */
import type { ChatNodeType, NodeType } from '../types.ts'
import { conversationalAgent } from './agents/conversational-agent.ts'
import { csvAgent } from './agents/csv-agent.ts'
import { openAIAssistant } from './agents/openai-assistant.ts'
import { reactAgentChat } from './agents/react-agent-chat.ts'
import { toolAgent } from './agents/tool-agent.ts'
import { withChainComponent } from './chains/chain-component.ts'
import { conversationChain } from './chains/conversation-chain.ts'
import { getApiChain } from './chains/get-api-chain.ts'
import { llmChain } from './chains/llm-chain.ts'
import { openApiChain } from './chains/openapi-chain.ts'
import { postApiChain } from './chains/post-api-chain.ts'
import { retrievalChains } from './chains/retrieval.ts'
import { sqlDatabaseChain } from './chains/sql-database-chain.ts'
import { documentLoaders } from './document-loaders/index.ts'
import { engines } from './engines/index.ts'
import { llamaIndexStores } from './engines/llama-index.ts'
import { retrieverNodes } from './retrievers/index.ts'
import { chatCustomFunction } from './utilities/custom-function.ts'
import { getVariable } from './utilities/get-variable.ts'
import { ifElseFunction } from './utilities/if-else-function.ts'
import { setVariable } from './utilities/set-variable.ts'
import { chatStickyNote } from './utilities/sticky-note.ts'
import { vectorStoreNodes } from './vector-stores/index.ts'

export const chatNodes: (NodeType | ChatNodeType)[] = [
  ...[
    llmChain,
    conversationChain,
    getApiChain,
    postApiChain,
    openApiChain,
    sqlDatabaseChain,
    ...retrievalChains,
    toolAgent,
    csvAgent,
    conversationalAgent,
    reactAgentChat,
  ].map(withChainComponent),
  openAIAssistant,
  chatCustomFunction,
  ifElseFunction,
  setVariable,
  getVariable,
  ...documentLoaders,
  ...retrieverNodes,
  ...engines,
  ...vectorStoreNodes,
  ...llamaIndexStores,
  chatStickyNote,
]
