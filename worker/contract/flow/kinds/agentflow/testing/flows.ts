/** Small components of agent flows, and flows of them, for tests. */
import type { ComponentDefinition, InputParam } from '../../../params/definition.ts'
import { drawingOf } from '../../../testing/flows.ts'
import { agentflow } from '../kind.ts'

export const agentNode = (
  name: string,
  label: string,
  more: Partial<ComponentDefinition> = {},
): ComponentDefinition => ({
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
  label: 'Update flow state',
  name: 'llmUpdateState',
  type: 'array',
  optional: true,
  acceptVariable: true,
  array: [
    { label: 'Key', name: 'key', type: 'asyncOptions' },
    { label: 'Value', name: 'value', type: 'string', acceptVariable: true, acceptNodeOutputAsVariable: true },
  ],
}

export const start = agentNode('start', 'Start', {
  color: '#7EE787',
  hideInput: true,
  inputs: [
    {
      label: 'Input type',
      name: 'startInputType',
      type: 'options',
      default: 'chatInput',
      options: [
        { label: 'Chat input', name: 'chatInput' },
        { label: 'Form input', name: 'formInput' },
      ],
    },
    { label: 'Form title', name: 'formTitle', type: 'string', show: { startInputType: 'formInput' } },
    {
      label: 'Form input types',
      name: 'formInputTypes',
      type: 'array',
      show: { startInputType: 'formInput' },
      array: [
        { label: 'Type', name: 'type', type: 'options', default: 'string' },
        { label: 'Label', name: 'label', type: 'string' },
        { label: 'Variable name', name: 'name', type: 'string' },
        { label: 'Add options', name: 'addOptions', type: 'array', show: { 'formInputTypes[$index].type': 'options' } },
      ],
    },
    {
      label: 'Flow state',
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

export const llm = agentNode('llm', 'LLM', {
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
    { label: 'Enable memory', name: 'llmEnableMemory', type: 'boolean', default: false, optional: true },
    {
      label: 'Memory type',
      name: 'llmMemoryType',
      type: 'options',
      default: 'allMessages',
      optional: true,
      show: { llmEnableMemory: true },
    },
    { label: 'Retries', name: 'llmRetries', type: 'number', default: 0 },
    {
      label: 'JSON structured output',
      name: 'llmStructuredOutput',
      type: 'array',
      optional: true,
      acceptVariable: true,
      array: [
        { label: 'Key', name: 'key', type: 'string' },
        { label: 'Type', name: 'type', type: 'options', default: 'string' },
        {
          label: 'Enum values',
          name: 'enumValues',
          type: 'string',
          show: { 'llmStructuredOutput[$index].type': 'enum' },
        },
      ],
    },
    updateState,
  ],
})

export const condition = agentNode('condition', 'Condition', {
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

export const conditionAgent = agentNode('conditionAgent', 'Condition Agent', {
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

export const humanInput = agentNode('humanInput', 'Human Input', {
  color: '#6E6EFD',
  outputs: [
    { label: 'Proceed', name: 'proceed' },
    { label: 'Reject', name: 'reject' },
  ],
})

export const loop = agentNode('loop', 'Loop', {
  hideOutput: true,
  inputs: [{ label: 'Loop back to', name: 'loopBackToNode', type: 'asyncOptions' }],
})

export const directReply = agentNode('directReply', 'Direct Reply', {
  hideOutput: true,
  inputs: [{ label: 'Message', name: 'directReplyMessage', type: 'string', acceptVariable: true, rows: 4 }],
})

export const iteration = agentNode('iteration', 'Iteration', {
  inputs: [{ label: 'Array input', name: 'iterationInput', type: 'string', acceptVariable: true }],
})

export const stickyNote = agentNode('stickyNote', 'Sticky Note', {
  type: 'StickyNote',
  inputs: [{ label: '', name: 'note', type: 'string', optional: true }],
})

export const http = agentNode('http', 'HTTP', {
  credential: {
    label: 'HTTP credential',
    name: 'auth',
    type: 'credential',
    credentialNames: ['basic'],
    optional: true,
  },
  inputs: [
    { label: 'Body type', name: 'bodyType', type: 'options', optional: true },
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

export const nodeTypes = [
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
]

export const { withNodes, withEdges } = drawingOf(agentflow)
