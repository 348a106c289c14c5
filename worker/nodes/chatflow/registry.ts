/** The nodes of chat flows that provide components. Nodes that also run are in the index of nodes. */
import { splitters } from '../../knowledge/splitters/index.ts'
import { embedders } from '../../models/embeddings/index.ts'
import { models } from '../../models/index.ts'
import { tools } from '../../tools/index.ts'
import type { ComponentNodeType } from '../types.ts'
import { inMemoryCache } from './cache/in-memory-cache.ts'
import { inMemoryEmbeddingCache } from './cache/in-memory-embedding-cache.ts'
import { upstashRedisCache } from './cache/upstash-redis-cache.ts'
import { chainTool } from './chains/chain-tool.ts'
import { embedderComponent, modelComponent, splitterComponent, toolComponent } from './components.ts'
import { llamaIndexComponents } from './engines/llama-index.ts'
import { queryEngineTool } from './engines/query-engine-tool.ts'
import { synthesizers } from './engines/synthesizers/index.ts'
import { bufferMemory } from './memory/buffer-memory.ts'
import { bufferWindowMemory } from './memory/buffer-window-memory.ts'
import { conversationSummaryBufferMemory } from './memory/conversation-summary-buffer-memory.ts'
import { conversationSummaryMemory } from './memory/conversation-summary-memory.ts'
import { mem0Memory } from './memory/mem0-memory.ts'
import { upstashRedisBackedChatMemory } from './memory/upstash-redis-memory.ts'
import { zepMemory } from './memory/zep-memory.ts'
import { zepMemoryCloud } from './memory/zep-memory-cloud.ts'
import { inputModerationOpenAI } from './moderation/input-moderation-openai.ts'
import { inputModerationSimple } from './moderation/input-moderation-simple.ts'
import { advancedStructuredOutputParser } from './output-parsers/advanced-structured-output-parser.ts'
import { csvOutputParser } from './output-parsers/csv-output-parser.ts'
import { customListOutputParser } from './output-parsers/custom-list-output-parser.ts'
import { structuredOutputParser } from './output-parsers/structured-output-parser.ts'
import { chatPromptTemplate } from './prompts/chat-prompt-template.ts'
import { fewShotPromptTemplate } from './prompts/few-shot-prompt-template.ts'
import { promptTemplate } from './prompts/prompt-template.ts'
import { recordManagers } from './record-managers/index.ts'
import { retrieverComponents } from './retrievers/index.ts'
import { vectorStoreComponents } from './vector-stores/index.ts'

export const componentNodes: ComponentNodeType[] = [
  ...models.map(modelComponent),
  ...embedders.map(embedderComponent),
  ...splitters.map(splitterComponent),
  ...tools.map(toolComponent),
  promptTemplate,
  chatPromptTemplate,
  fewShotPromptTemplate,
  bufferMemory,
  bufferWindowMemory,
  conversationSummaryMemory,
  conversationSummaryBufferMemory,
  upstashRedisBackedChatMemory,
  zepMemoryCloud,
  zepMemory,
  mem0Memory,
  csvOutputParser,
  customListOutputParser,
  structuredOutputParser,
  advancedStructuredOutputParser,
  inputModerationSimple,
  inputModerationOpenAI,
  ...vectorStoreComponents,
  ...recordManagers,
  ...retrieverComponents,
  ...llamaIndexComponents,
  ...synthesizers,
  queryEngineTool,
  chainTool,
  inMemoryCache,
  inMemoryEmbeddingCache,
  upstashRedisCache,
]
