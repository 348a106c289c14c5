/** Parameters that several node types share. `prefix` is the node's own: `llm`, `agent`. */
import type { InputParam, ParamOption } from '#contract/flow/params/definition.ts'

export function modelParam(name: string): InputParam {
  return { label: 'Model', name, type: 'asyncOptions', loadMethod: 'listModels', loadConfig: true }
}

export function messagesParam(prefix: string): InputParam {
  return {
    label: 'Messages',
    name: `${prefix}Messages`,
    type: 'array',
    description: 'Messages sent to the model before the conversation. System messages always come first.',
    optional: true,
    acceptVariable: true,
    array: [
      {
        label: 'Role',
        name: 'role',
        type: 'options',
        options: [
          { label: 'System', name: 'system' },
          { label: 'Assistant', name: 'assistant' },
          { label: 'Developer', name: 'developer' },
          { label: 'User', name: 'user' },
        ],
      },
      { label: 'Content', name: 'content', type: 'string', acceptVariable: true, generateInstruction: true, rows: 4 },
    ],
  }
}

export function memoryParams(prefix: string): InputParam[] {
  return [...memoryTypeParams(prefix), userMessageParam(prefix)]
}

/** Returns the parameters that say which part of the conversation the model sees. */
export function memoryTypeParams(prefix: string): InputParam[] {
  const ifType = (type: string) => ({ [`${prefix}MemoryType`]: type })
  return [
    {
      label: 'Enable memory',
      name: `${prefix}EnableMemory`,
      type: 'boolean',
      description: 'Include the conversation so far',
      default: true,
      optional: true,
    },
    {
      label: 'Memory type',
      name: `${prefix}MemoryType`,
      type: 'options',
      options: [
        { label: 'All messages', name: 'allMessages', description: 'The whole conversation' },
        { label: 'Window size', name: 'windowSize', description: 'Only the latest exchanges' },
        {
          label: 'Conversation summary',
          name: 'conversationSummary',
          description: 'A summary of the earlier conversation',
        },
        {
          label: 'Conversation summary buffer',
          name: 'conversationSummaryBuffer',
          description: 'The latest messages in full, with a summary of the older ones',
        },
      ],
      optional: true,
      default: 'allMessages',
      show: { [`${prefix}EnableMemory`]: true },
    },
    {
      label: 'Window size',
      name: `${prefix}MemoryWindowSize`,
      type: 'number',
      default: '20',
      optional: true,
      description: 'How many exchanges (a question and its answer) the model sees, including the current question',
      show: ifType('windowSize'),
    },
    {
      label: 'Max token limit',
      name: `${prefix}MemoryMaxTokenLimit`,
      type: 'number',
      default: '2000',
      optional: true,
      description: 'When the conversation exceeds this many tokens, the oldest messages are summarized',
      show: ifType('conversationSummaryBuffer'),
    },
  ]
}

function userMessageParam(prefix: string): InputParam {
  return {
    label: 'Input message',
    name: `${prefix}UserMessage`,
    type: 'string',
    description: 'Added as the last user message',
    rows: 4,
    optional: true,
    acceptVariable: true,
    show: { [`${prefix}EnableMemory`]: true },
  }
}

export function returnResponseParam(prefix: string): InputParam {
  return {
    label: 'Return response as',
    name: `${prefix}ReturnResponseAs`,
    type: 'options',
    description:
      'How later nodes see the response in the conversation. As a user message, it is the next request. As an assistant message, it is something the model said.',
    options: [
      { label: 'User message', name: 'userMessage' },
      { label: 'Assistant message', name: 'assistantMessage' },
    ],
    default: 'userMessage',
  }
}

export function structuredOutputParam(prefix: string): InputParam {
  return {
    label: 'JSON structured output',
    name: `${prefix}StructuredOutput`,
    description: 'Makes the model respond with JSON that has these fields',
    type: 'array',
    optional: true,
    acceptVariable: true,
    array: [
      { label: 'Key', name: 'key', type: 'string' },
      {
        label: 'Type',
        name: 'type',
        type: 'options',
        options: [
          { label: 'String', name: 'string' },
          { label: 'String array', name: 'stringArray' },
          { label: 'Number', name: 'number' },
          { label: 'Boolean', name: 'boolean' },
          { label: 'Enum', name: 'enum' },
          { label: 'JSON array', name: 'jsonArray' },
        ],
      },
      {
        label: 'Enum values',
        name: 'enumValues',
        type: 'string',
        placeholder: 'low, medium, high',
        description: 'The allowed values, separated by commas',
        optional: true,
        show: { [`${prefix}StructuredOutput[$index].type`]: 'enum' },
      },
      {
        label: 'JSON Schema',
        name: 'jsonSchema',
        type: 'code',
        placeholder: '{ "name": { "type": "string", "description": "Full name" } }',
        description: 'The fields of each item, as a JSON object of JSON Schema properties',
        optional: true,
        hideCodeExecute: true,
        show: { [`${prefix}StructuredOutput[$index].type`]: 'jsonArray' },
      },
      {
        label: 'Description',
        name: 'description',
        type: 'string',
        placeholder: 'What the model should put here',
        optional: true,
      },
    ],
  }
}

export function updateStateParam(name: string): InputParam {
  return {
    label: 'Update flow state',
    name,
    description: 'Flow state values to set when this node has finished. {{ output }} is the node’s output.',
    type: 'array',
    optional: true,
    acceptVariable: true,
    array: [
      { label: 'Key', name: 'key', type: 'asyncOptions', loadMethod: 'listRuntimeStateKeys' },
      { label: 'Value', name: 'value', type: 'string', acceptVariable: true, acceptNodeOutputAsVariable: true },
    ],
  }
}

/** Returns options from the label of each value. */
export function optionsOf(labels: Readonly<Record<string, string>>): ParamOption[] {
  return Object.entries(labels).map(([name, label]) => ({ label, name }))
}

/** Returns the parameters that say who may answer what the node asks. @param byDefault for nodes that do not say it */
export function approverParams(prefix: string, byDefault: 'caller' | 'members'): InputParam[] {
  const approvers = `${prefix}Approvers`
  return [
    {
      label: 'Approvers',
      name: approvers,
      type: 'options',
      description: 'Who can approve or reject',
      options: [
        { label: 'Caller', name: 'caller', description: 'Whoever asked, anonymous callers too' },
        { label: 'Members', name: 'members', description: 'Members of the workspace, under Executions' },
        { label: 'Role', name: 'role', description: 'Members with a certain role, and admins' },
      ],
      default: byDefault,
      optional: true,
    },
    {
      label: 'Approver role',
      name: `${prefix}ApproverRole`,
      type: 'asyncOptions',
      loadMethod: 'listRoles',
      description: 'Who has it. Once it is removed, only admins can answer',
      show: { [approvers]: 'role' },
    },
  ]
}
