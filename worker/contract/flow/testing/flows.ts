/** Small components and flows for the tests of this folder. */
import { connectNodes } from '../document/connect.ts'
import { createNode } from '../document/create.ts'
import type { FlowDocument, FlowNode } from '../document/document.ts'
import type { ComponentDefinition, InputParam } from '../params/definition.ts'

const agent = (name: string, label: string, more: Partial<ComponentDefinition> = {}): ComponentDefinition => ({
  name: `${name}Agentflow`,
  label,
  version: 1,
  type: label.replaceAll(' ', ''),
  category: 'Agent Flows',
  description: `${label} node`,
  baseClasses: [label.replaceAll(' ', '')],
  color: '#123456',
  inputs: [],
  ...more,
})

const updateState: InputParam = {
  label: 'Update Flow State',
  name: 'llmUpdateState',
  type: 'array',
  optional: true,
  acceptVariable: true,
  array: [
    { label: 'Key', name: 'key', type: 'asyncOptions' },
    { label: 'Value', name: 'value', type: 'string', acceptVariable: true, acceptNodeOutputAsVariable: true },
  ],
}

export const start = agent('start', 'Start', {
  color: '#7EE787',
  hideInput: true,
  inputs: [
    {
      label: 'Input Type',
      name: 'startInputType',
      type: 'options',
      default: 'chatInput',
      options: [
        { label: 'Chat Input', name: 'chatInput' },
        { label: 'Form Input', name: 'formInput' },
      ],
    },
    { label: 'Form Title', name: 'formTitle', type: 'string', show: { startInputType: 'formInput' } },
    {
      label: 'Form Input Types',
      name: 'formInputTypes',
      type: 'array',
      show: { startInputType: 'formInput' },
      array: [
        { label: 'Type', name: 'type', type: 'options', default: 'string' },
        { label: 'Label', name: 'label', type: 'string' },
        { label: 'Variable Name', name: 'name', type: 'string' },
        { label: 'Add Options', name: 'addOptions', type: 'array', show: { 'formInputTypes[$index].type': 'options' } },
      ],
    },
    {
      label: 'Flow State',
      name: 'startState',
      type: 'array',
      optional: true,
      array: [
        { label: 'Key', name: 'key', type: 'string' },
        { label: 'Value', name: 'value', type: 'string', optional: true },
      ],
    },
  ],
})

export const llm = agent('llm', 'LLM', {
  color: '#64B5F6',
  version: 1.1,
  inputs: [
    { label: 'Model', name: 'llmModel', type: 'asyncOptions', loadMethod: 'listModels', loadConfig: true },
    {
      label: 'Messages',
      name: 'llmMessages',
      type: 'array',
      optional: true,
      acceptVariable: true,
      array: [
        { label: 'Role', name: 'role', type: 'options' },
        { label: 'Content', name: 'content', type: 'string', acceptVariable: true, rows: 4 },
      ],
    },
    { label: 'Enable Memory', name: 'llmEnableMemory', type: 'boolean', default: false, optional: true },
    {
      label: 'Memory Type',
      name: 'llmMemoryType',
      type: 'options',
      default: 'allMessages',
      optional: true,
      show: { llmEnableMemory: true },
    },
    { label: 'Retries', name: 'llmRetries', type: 'number', default: 0 },
    {
      label: 'JSON Structured Output',
      name: 'llmStructuredOutput',
      type: 'array',
      optional: true,
      acceptVariable: true,
      array: [
        { label: 'Key', name: 'key', type: 'string' },
        { label: 'Type', name: 'type', type: 'options', default: 'string' },
        {
          label: 'Enum Values',
          name: 'enumValues',
          type: 'string',
          show: { 'llmStructuredOutput[$index].type': 'enum' },
        },
      ],
    },
    updateState,
  ],
})

export const condition = agent('condition', 'Condition', {
  color: '#FFB938',
  outputs: [
    { label: '0', name: '0' },
    { label: '1', name: '1' },
  ],
  inputs: [
    {
      label: 'Conditions',
      name: 'conditions',
      type: 'array',
      acceptVariable: true,
      default: [{ type: 'string', value1: '', operation: 'equal', value2: '' }],
      array: [],
    },
  ],
})

export const conditionAgent = agent('conditionAgent', 'Condition Agent', {
  outputs: [
    { label: '0', name: '0' },
    { label: '1', name: '1' },
  ],
  inputs: [
    {
      label: 'Scenarios',
      name: 'conditionAgentScenarios',
      type: 'array',
      default: [{ scenario: 'a' }, { scenario: 'b' }],
      array: [{ label: 'Scenario', name: 'scenario', type: 'string' }],
    },
  ],
})

export const humanInput = agent('humanInput', 'Human Input', {
  color: '#6E6EFD',
  outputs: [
    { label: 'Proceed', name: 'proceed' },
    { label: 'Reject', name: 'reject' },
  ],
})

export const loop = agent('loop', 'Loop', {
  hideOutput: true,
  inputs: [{ label: 'Loop Back To', name: 'loopBackToNode', type: 'asyncOptions' }],
})

export const directReply = agent('directReply', 'Direct Reply', {
  hideOutput: true,
  inputs: [{ label: 'Message', name: 'directReplyMessage', type: 'string', acceptVariable: true, rows: 4 }],
})

export const iteration = agent('iteration', 'Iteration', {
  inputs: [{ label: 'Array Input', name: 'iterationInput', type: 'string', acceptVariable: true }],
})

export const stickyNote = agent('stickyNote', 'Sticky Note', {
  type: 'StickyNote',
  inputs: [{ label: '', name: 'note', type: 'string', optional: true }],
})

export const http = agent('http', 'HTTP', {
  credential: {
    label: 'HTTP Credential',
    name: 'auth',
    type: 'credential',
    credentialNames: ['basic'],
    optional: true,
  },
  inputs: [
    { label: 'Body Type', name: 'bodyType', type: 'options', optional: true },
    {
      label: 'Body',
      name: 'body',
      type: 'string',
      optional: true,
      default: 'text',
      show: { bodyType: ['raw', 'json'] },
    },
    { label: 'Body', name: 'body', type: 'array', optional: true, default: [], show: { bodyType: ['formData'] } },
  ],
})

const classic = (name: string, label: string, more: Partial<ComponentDefinition>): ComponentDefinition => ({
  name,
  label,
  version: 1,
  type: label,
  category: 'Chains',
  description: label,
  baseClasses: [label],
  inputs: [],
  ...more,
})

export const chatModel = classic('chatScripted', 'ChatScripted', {
  category: 'Chat Models',
  baseClasses: ['ChatScripted', 'BaseChatModel', 'BaseLanguageModel'],
  credential: { label: 'Connect Credential', name: 'credential', type: 'credential', credentialNames: ['scriptedApi'] },
  inputs: [
    { label: 'Model Name', name: 'modelName', type: 'string' },
    { label: 'Secret', name: 'secret', type: 'password', optional: true },
  ],
})

export const readTool = classic('readFile', 'ReadFile', { category: 'Tools', baseClasses: ['ReadFile', 'Tool'] })
export const writeTool = classic('writeFile', 'WriteFile', { category: 'Tools', baseClasses: ['WriteFile', 'Tool'] })

export const toolAgent = classic('toolAgent', 'Tool Agent', {
  category: 'Agents',
  baseClasses: ['AgentExecutor', 'BaseChain'],
  inputs: [
    { label: 'Tools', name: 'tools', type: 'Tool', list: true },
    { label: 'Model', name: 'model', type: 'BaseChatModel | BaseLLM' },
    { label: 'System Message', name: 'systemMessage', type: 'string', acceptVariable: true, optional: true },
  ],
})

export const components = [
  start,
  llm,
  condition,
  conditionAgent,
  humanInput,
  loop,
  directReply,
  iteration,
  stickyNote,
  http,
  chatModel,
  readTool,
  writeTool,
  toolAgent,
]

export const empty: FlowDocument = { nodes: [], edges: [] }

/** The flow with a new node of each definition, in a row. */
export function withNodes(flow: FlowDocument, ...definitions: ComponentDefinition[]): FlowDocument {
  const nodes = [...flow.nodes]
  for (const [index, definition] of definitions.entries()) {
    const node = createNode(definition, { nodes, position: { x: index * 300, y: 0 } })
    nodes.push({ ...node, width: node.width ?? 200 })
  }
  return { ...flow, nodes }
}

/** The flow with edges `source[:output index] > target`, made without asking whether they are allowed. */
export function withEdges(flow: FlowDocument, ...edges: string[]): FlowDocument {
  return edges.reduce((so, text) => {
    const [from = '', target = ''] = text.split(' > ')
    const [source = '', index] = from.split(':')
    const sourceHandle = index === undefined ? undefined : `${source}-output-${index}`
    return connectNodes(so, { source, target, ...(sourceHandle ? { sourceHandle } : {}) })
  }, flow)
}

export function nodeOf(flow: FlowDocument, id: string): FlowNode {
  const node = flow.nodes.find((candidate) => candidate.id === id)
  if (!node) throw new Error(`No node ${id}`)
  return node
}

export function withInputs(flow: FlowDocument, id: string, inputs: Record<string, unknown>): FlowDocument {
  const change = (node: FlowNode): FlowNode => ({
    ...node,
    data: { ...node.data, inputs: { ...node.data.inputs, ...inputs } },
  })
  return { ...flow, nodes: flow.nodes.map((node) => (node.id === id ? change(node) : node)) }
}

export function withParent(flow: FlowDocument, id: string, parentNode: string): FlowDocument {
  const change = (node: FlowNode): FlowNode => ({ ...node, parentNode, extent: 'parent' })
  return { ...flow, nodes: flow.nodes.map((node) => (node.id === id ? change(node) : node)) }
}
