/** The Agent node's parameters. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import {
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
    web_search_preview: 'Web Search',
    code_interpreter: 'Code Interpreter',
    image_generation: 'Image Generation',
  }),
  builtInTools('Gemini', 'chatGoogleGenerativeAI', {
    urlContext: 'URL Context',
    googleSearch: 'Google Search',
    codeExecution: 'Code Execution',
  }),
  builtInTools('Anthropic', 'chatAnthropic', { web_search_20250305: 'Web Search', web_fetch_20250910: 'Web Fetch' }),
  {
    label: 'Tools',
    name: 'agentTools',
    type: 'array',
    description: 'Tools the agent can call',
    optional: true,
    array: [
      { label: 'Tool', name: 'agentSelectedTool', type: 'asyncOptions', loadMethod: 'listTools', loadConfig: true },
      {
        label: 'Require Human Input',
        name: 'agentSelectedToolRequiresHumanInput',
        type: 'boolean',
        description: 'Ask a person for approval before the tool runs',
        optional: true,
      },
    ],
  },
  {
    label: 'Knowledge (Document Stores)',
    name: 'agentKnowledgeDocumentStores',
    type: 'array',
    description: 'Document stores the agent can search',
    optional: true,
    array: [
      { label: 'Document Store', name: 'documentStore', type: 'asyncOptions', loadMethod: 'listStores' },
      { ...knowledgeDescription('docStoreDescription'), generateDocStoreDescription: true },
      sourceDocuments(),
    ],
  },
  {
    label: 'Knowledge (Vector Embeddings)',
    name: 'agentKnowledgeVSEmbeddings',
    type: 'array',
    description: 'Vector stores the agent can search',
    optional: true,
    array: [
      {
        label: 'Vector Store',
        name: 'vectorStore',
        type: 'asyncOptions',
        loadMethod: 'listVectorStores',
        loadConfig: true,
      },
      {
        label: 'Embedding Model',
        name: 'embeddingModel',
        type: 'asyncOptions',
        loadMethod: 'listEmbeddings',
        loadConfig: true,
      },
      { label: 'Knowledge Name', name: 'knowledgeName', type: 'string', placeholder: 'handbook' },
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
    label: `${provider} Built-in Tools`,
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
    label: 'Describe Knowledge',
    name,
    type: 'string',
    placeholder: 'What this knowledge covers, so the agent knows when to search it',
    rows: 4,
  }
}

function sourceDocuments(): InputParam {
  return { label: 'Return Source Documents', name: 'returnSourceDocuments', type: 'boolean', optional: true }
}
