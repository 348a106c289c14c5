/** Small flows for the tests of the canvas. */

import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

const node = (name: string, label: string, more: Partial<ComponentDefinition> = {}): ComponentDefinition => ({
  label,
  name,
  version: 1,
  type: label.replaceAll(' ', ''),
  category: 'Agent Flows',
  description: '',
  baseClasses: [],
  color: '#64B5F6',
  inputs: [],
  ...more,
})

export const start = node('startAgentflow', 'Start', { hideInput: true })
export const llm = node('llmAgentflow', 'LLM', {
  inputs: [
    { name: 'llmModel', label: 'Model', type: 'asyncOptions', loadMethod: 'listModels', loadConfig: true },
    { name: 'llmEnableMemory', label: 'Enable memory', type: 'boolean', default: true },
    { name: 'llmMemoryType', label: 'Memory type', type: 'string', show: { llmEnableMemory: true } },
    { name: 'llmUserMessage', label: 'Input message', type: 'string', acceptVariable: true },
  ],
})
export const condition = node('conditionAgentflow', 'Condition', {
  outputs: [
    { label: '0', name: '0' },
    { label: '1', name: '1' },
  ],
  inputs: [
    {
      name: 'conditions',
      label: 'Conditions',
      type: 'array',
      default: [{ type: 'string', value1: '', operation: 'equal', value2: '' }],
      array: [{ name: 'value1', label: 'Value 1', type: 'string' }],
    },
  ],
})
export const reply = node('directReplyAgentflow', 'Direct Reply', { hideOutput: true })
export const note = node('stickyNoteAgentflow', 'Sticky Note', {
  type: 'StickyNote',
  hideInput: true,
  hideOutput: true,
  inputs: [{ name: 'note', label: 'Note', type: 'string' }],
})
export const iteration = node('iterationAgentflow', 'Iteration')
export const definitions = [start, llm, condition, reply, note, iteration]

/** A flow of one node per definition, in a row. */
export function flowOf(...parts: ComponentDefinition[]): FlowDocument {
  const nodes: FlowDocument['nodes'] = []
  for (const part of parts)
    nodes.push(createNode(part, { nodes, position: { x: nodes.length * 300, y: 0 } }, agentflow))
  return { nodes, edges: [] }
}
