/** The Agent node's parameters. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import {
  approverParams,
  memoryParams,
  messagesParam,
  modelParam,
  returnResponseParam,
  structuredOutputParam,
  updateStateParam,
} from '../shared/params.ts'

/** Prefix of the parameters that select a provider's built-in tools. */
export const BUILT_IN = 'agentToolsBuiltIn'

export const agentParams: InputParam[] = [
  modelParam('agentModel'),
  messagesParam('agent'),
  builtInTools('OpenAI', 'chatOpenAI', {
    web_search_preview: 'Web search',
    code_interpreter: 'Code interpreter',
    image_generation: 'Image generation',
  }),
  builtInTools('Gemini', 'chatGoogleGenerativeAI', {
    urlContext: 'URL context',
    googleSearch: 'Google Search',
    codeExecution: 'Code execution',
  }),
  builtInTools('Anthropic', 'chatAnthropic', { web_search_20250305: 'Web search', web_fetch_20250910: 'Web fetch' }),
  {
    label: 'Tools',
    name: 'agentTools',
    type: 'array',
    description: 'Tools the agent can call',
    optional: true,
    array: [
      { label: 'Tool', name: 'agentSelectedTool', type: 'asyncOptions', loadMethod: 'listTools', loadConfig: true },
      {
        label: 'Require human input',
        name: 'agentSelectedToolRequiresHumanInput',
        type: 'boolean',
        description: 'Ask a person for approval before the tool runs',
        optional: true,
      },
    ],
  },
  ...approverParams('agent', 'members'),
  {
    label: 'Knowledge (document stores)',
    name: 'agentKnowledgeDocumentStores',
    type: 'array',
    description: 'Document stores the agent can search',
    optional: true,
    array: [
      { label: 'Document store', name: 'documentStore', type: 'asyncOptions', loadMethod: 'listStores' },
      { ...knowledgeDescription('docStoreDescription'), generateDocStoreDescription: true },
      sourceDocuments(),
    ],
  },
  {
    label: 'Knowledge (vector embeddings)',
    name: 'agentKnowledgeVSEmbeddings',
    type: 'array',
    description: 'Vector stores the agent can search',
    optional: true,
    array: [
      {
        label: 'Vector store',
        name: 'vectorStore',
        type: 'asyncOptions',
        loadMethod: 'listVectorStores',
        loadConfig: true,
      },
      {
        label: 'Embedding model',
        name: 'embeddingModel',
        type: 'asyncOptions',
        loadMethod: 'listEmbeddings',
        loadConfig: true,
      },
      { label: 'Knowledge name', name: 'knowledgeName', type: 'string', placeholder: 'handbook' },
      knowledgeDescription('knowledgeDescription'),
      sourceDocuments(),
    ],
  },
  ...memoryParams('agent'),
  returnResponseParam('agent'),
  structuredOutputParam('agent'),
  updateStateParam('agentUpdateState'),
]

function builtInTools(provider: string, model: string, tools: Record<string, string>): InputParam {
  return {
    label: `${provider} built-in tools`,
    name: `${BUILT_IN}${provider}`,
    type: 'multiOptions',
    description: 'Tools that the provider runs on its servers',
    optional: true,
    options: Object.entries(tools).map(([name, label]) => ({ label, name })),
    // An anchored pattern, because the bare name would also match models whose names start with it.
    show: { agentModel: `^${model}$` },
  }
}

function knowledgeDescription(name: string): InputParam {
  return {
    label: 'Describe knowledge',
    name,
    type: 'string',
    placeholder: 'What this knowledge covers, so the agent knows when to search it',
    rows: 4,
  }
}

function sourceDocuments(): InputParam {
  return { label: 'Return source documents', name: 'returnSourceDocuments', type: 'boolean', optional: true }
}
