/** The words of Google ADK's declarative designs, as version 2.13 reads them. */

/**
 * - `text`, `flag`, `whole`, `number`: a value of that type
 * - `texts`: a list of texts; `textMap`: a map of them; `textMaps`: a list of such maps
 * - `json`: any value
 * - a list: one of its texts
 */
type SettingType = 'text' | 'flag' | 'whole' | 'number' | 'texts' | 'textMap' | 'textMaps' | 'json' | readonly string[]

export interface SettingRule {
  type: SettingType
  /** ADK takes null for the default. It refuses null for others. */
  nullable?: true
}

type Settings = Readonly<Record<string, SettingRule>>

/** Classes of agents that ADK brings along. */
export const AGENT_CLASSES = ['LlmAgent', 'SequentialAgent', 'ParallelAgent', 'LoopAgent'] as const
/** Classes of nodes that are no agents: a graph, and what only a graph holds. */
export const NODE_CLASSES = ['Workflow', 'JoinNode', 'FunctionNode'] as const

export type AdkClass = (typeof AGENT_CLASSES)[number] | (typeof NODE_CLASSES)[number]

const named: Settings = { name: { type: 'text' }, description: { type: 'text' } }

const node: Settings = {
  ...named,
  rerun_on_resume: { type: 'flag' },
  wait_for_output: { type: 'flag' },
  timeout: { type: 'number', nullable: true },
  retry_config: { type: 'json', nullable: true },
}

/** Keys with plain values by class. */
export const SETTINGS: Readonly<Record<AdkClass, Settings>> = {
  LlmAgent: {
    ...named,
    model: { type: 'text' },
    instruction: { type: 'text' },
    static_instruction: { type: 'json', nullable: true },
    disallow_transfer_to_parent: { type: 'flag' },
    disallow_transfer_to_peers: { type: 'flag' },
    include_contents: { type: ['default', 'none'] },
    output_key: { type: 'text', nullable: true },
  },
  SequentialAgent: named,
  ParallelAgent: named,
  LoopAgent: { ...named, max_iterations: { type: 'whole', nullable: true } },
  Workflow: { ...node, max_concurrency: { type: 'whole', nullable: true } },
  JoinNode: node,
  FunctionNode: node,
}

const ofAgents = ['before_agent_callbacks', 'after_agent_callbacks']
const schemas = ['input_schema', 'output_schema']
const ofNodes = [...schemas, 'state_schema'].flatMap((key) => [key, `${key}_code`])

/** Keys that name Python code by class: one name, or for callbacks a list of them. */
export const CODE_KEYS: Readonly<Record<AdkClass, readonly string[]>> = {
  LlmAgent: [
    ...ofAgents,
    'model_code',
    ...schemas,
    'before_model_callbacks',
    'after_model_callbacks',
    'before_tool_callbacks',
    'after_tool_callbacks',
  ],
  SequentialAgent: ofAgents,
  ParallelAgent: ofAgents,
  LoopAgent: ofAgents,
  Workflow: ofNodes,
  JoinNode: ofNodes,
  FunctionNode: [...ofNodes, 'func_code'],
}

/** Settings of `generate_content_config`, which may also be written in camel case. */
export const GENERATION: Settings = {
  temperature: { type: 'number', nullable: true },
  top_p: { type: 'number', nullable: true },
  top_k: { type: 'number', nullable: true },
  candidate_count: { type: 'whole', nullable: true },
  max_output_tokens: { type: 'whole', nullable: true },
  stop_sequences: { type: 'texts', nullable: true },
  presence_penalty: { type: 'number', nullable: true },
  frequency_penalty: { type: 'number', nullable: true },
  seed: { type: 'whole', nullable: true },
  safety_settings: { type: 'textMaps', nullable: true },
  labels: { type: 'textMap', nullable: true },
  response_mime_type: { type: 'text', nullable: true },
  response_json_schema: { type: 'json', nullable: true },
  response_logprobs: { type: 'flag', nullable: true },
  logprobs: { type: 'whole', nullable: true },
  response_modalities: { type: 'texts', nullable: true },
  cached_content: { type: 'text', nullable: true },
  audio_timestamp: { type: 'flag', nullable: true },
  enable_enhanced_civic_answers: { type: 'flag', nullable: true },
  should_return_http_response: { type: 'flag', nullable: true },
  store: { type: 'flag', nullable: true },
  ...Object.fromEntries(
    [
      'http_options',
      'routing_config',
      'model_selection_config',
      'tool_config',
      'media_resolution',
      'speech_config',
      'automatic_function_calling',
      'thinking_config',
      'image_config',
      'model_armor_config',
      'service_tier',
      'audio_transcription_config',
      'continuation_token',
      'automatic_continuation',
      'generation_output_config',
    ].map((key) => [key, { type: 'json', nullable: true }] as const),
  ),
}

/** Settings that ADK refuses in `generate_content_config`, with the key of the agent that takes their place. */
export const MOVED_GENERATION: Readonly<Record<string, string>> = {
  tools: 'tools',
  system_instruction: 'instruction',
  response_schema: 'output_schema',
}

/** Tools that are named without a dot and need no arguments. */
export const READY_TOOLS = [
  'google_search',
  'url_context',
  'google_maps_grounding',
  'enterprise_web_search',
  'load_memory',
  'preload_memory',
  'load_artifacts',
  'exit_loop',
  'get_user_choice',
  'transfer_to_agent',
  'request_input',
] as const

/** Tools that are named without a dot and made with arguments. */
export const TOOL_CLASSES = [
  'AgentTool',
  'McpToolset',
  'MCPToolset',
  'LongRunningFunctionTool',
  'FunctionTool',
  'ExampleTool',
  'VertexAiSearchTool',
  'VertexAiLoadProfilesTool',
  'DiscoveryEngineSearchTool',
  'APIHubToolset',
  'ApiRegistry',
  'ModelConsultTool',
  'RemoteMcpServer',
  'TransferToAgentTool',
] as const
