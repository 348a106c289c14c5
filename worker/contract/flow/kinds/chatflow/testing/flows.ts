/** Small components of chat flows, and flows of them, for tests. */
import type { ComponentDefinition } from '../../../params/definition.ts'
import { drawingOf } from '../../../testing/flows.ts'
import { chatflow } from '../kind.ts'

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
  credential: { label: 'Connect credential', name: 'credential', type: 'credential', credentialNames: ['scriptedApi'] },
  inputs: [
    { label: 'Model name', name: 'modelName', type: 'string' },
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
    { label: 'System message', name: 'systemMessage', type: 'string', acceptVariable: true, optional: true },
    { label: 'Max iterations', name: 'maxIterations', type: 'number', optional: true },
  ],
})

/** Gives itself or its text. */
export const chain = classic('llmChain', 'LLM Chain', {
  baseClasses: ['LLMChain', 'BaseChain'],
  inputs: [
    { label: 'Language model', name: 'model', type: 'BaseLanguageModel' },
    { label: 'Memory', name: 'memory', type: 'BaseMemory', optional: true },
    { label: 'Values', name: 'promptValues', type: 'json', acceptVariable: true, optional: true },
    { label: 'Prefix', name: 'prefix', type: 'string', acceptVariable: true, additionalParams: true, optional: true },
  ],
  outputs: [
    { label: 'LLM Chain', name: 'llmChain', baseClasses: ['LLMChain', 'BaseChain'] },
    { label: 'Output prediction', name: 'outputPrediction', baseClasses: ['string', 'json'] },
  ],
})

/** Takes one of two ways. */
export const ifElse = classic('ifElseFunction', 'IfElse Function', {
  category: 'Utilities',
  baseClasses: ['IfElseFunction', 'Utilities'],
  inputs: [{ label: 'Input', name: 'input', type: 'json', acceptVariable: true, optional: true }],
  outputs: [
    { label: 'True', name: 'returnTrue', baseClasses: ['string', 'json'], isAnchor: true },
    { label: 'False', name: 'returnFalse', baseClasses: ['string', 'json'], isAnchor: true },
  ],
})

/** Decides by a table or by code. */
export const condition = classic('condition', 'Condition', {
  category: 'Utilities',
  inputs: [
    {
      label: 'Condition',
      name: 'condition',
      type: 'conditionFunction',
      tabIdentifier: 'selectedTab',
      tabs: [
        { label: 'Condition (Table)', name: 'conditionUI', type: 'datagrid', datagrid: [] },
        { label: 'Condition (Code)', name: 'conditionFunction', type: 'code' },
      ],
    },
  ],
})

/** Takes what a condition leads to. */
export const reply = classic('reply', 'Reply', {
  inputs: [{ label: 'From', name: 'from', type: 'Condition' }],
})

export const components = [chatModel, readTool, writeTool, toolAgent, chain, ifElse, condition, reply]

export const { withNodes, withEdges } = drawingOf(chatflow)
