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
    { label: 'Max Iterations', name: 'maxIterations', type: 'number', optional: true },
  ],
})

export const components = [chatModel, readTool, writeTool, toolAgent]

export const { withNodes, withEdges } = drawingOf(chatflow)
