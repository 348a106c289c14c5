import { describe, expect, it } from 'vitest'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { nodeSize } from '../../geometry/node-size.ts'
import { nodeFace } from './face.ts'
import { llm, reply, start } from './testing/flows.ts'

const list = (name: string, label: string, more: Partial<InputParam> = {}): InputParam => ({
  name,
  label,
  type: 'array',
  array: [],
  ...more,
})
const tools: InputParam = list('tools', 'Tools', {
  array: [{ name: 'tool', label: 'Tool', type: 'asyncOptions', loadMethod: 'listTools', loadConfig: true }],
})
const builtIn: InputParam = {
  name: 'builtIn',
  label: 'Built-in Tools',
  type: 'multiOptions',
  options: [{ name: 'web_search', label: 'Web search' }],
  show: { llmModel: 'chatOpenAI' },
}
const more = [
  tools,
  builtIn,
  list('messages', 'Messages'),
  list('stores', 'Knowledge (document stores)'),
  list('state', 'Flow state'),
  list('formInputTypes', 'Form input types', { show: { startInputType: 'formInput' } }),
]
const calculator = { ...reply, name: 'calculator', label: 'Calculator' }
const definitions = new Map([calculator].map((definition) => [definition.name, definition]))

function nodeWith(definition: ComponentDefinition, inputs: Record<string, unknown>): FlowNode {
  const node = createNode(
    { ...definition, inputs: [...definition.inputs, ...more] },
    { nodes: [], position: { x: 0, y: 0 } },
    agentflow,
  )
  return { ...node, data: { ...node.data, inputs } }
}
const model = { llmModel: 'chatOpenAI', llmModelConfig: { modelName: 'gpt-4o-mini' } }

describe('the first line of a node', () => {
  it.each([
    ['an untouched node', llm, {}, ''],
    ['a model', llm, model, 'gpt-4o-mini'],
    ['a model and a message', llm, { ...model, llmUserMessage: '<p>Hi</p>\n' }, 'gpt-4o-mini · Hi'],
    ['a model that is not known here', llm, { llmModel: 'other' }, 'other'],
    [
      'a reference behind a long text',
      llm,
      { llmUserMessage: `${'a'.repeat(55)} {{llmAgentflow_0}} b` },
      `${'a'.repeat(55)} {{llmAgentflow_0}}`,
    ],
    ['a chat', start, {}, 'Chat'],
    ['a form', start, { startInputType: 'formInput', formInputTypes: [{}, {}] }, 'Form with 2 fields'],
    ['a form with one field', start, { startInputType: 'formInput', formInputTypes: [{}] }, 'Form with 1 field'],
    ['a form without fields', start, { startInputType: 'formInput' }, 'Form'],
    ['a webhook', start, { startInputType: 'webhookTrigger' }, 'Webhook'],
    ['a schedule', start, { startInputType: 'scheduleInput' }, 'Schedule'],
    [
      'a loop',
      { ...reply, name: 'loopAgentflow' },
      { loopBackToNode: 'llmAgentflow_0-Old - name', maxLoopCount: 3 },
      'Back to {{llmAgentflow_0}} · at most 3 times',
    ],
  ])('sums up %s', (_, definition, inputs, first) =>
    expect(nodeFace(nodeWith(definition, inputs), definitions).first).toBe(first),
  )
})

describe('the second line of a node', () => {
  it.each([
    [{}, '', []],
    [{ messages: [{}] }, '1 message', []],
    [{ messages: [{}, {}], stores: [{}], state: [{}, {}] }, '2 messages · 1 document store · 2 state values', []],
    [{ tools: [{ tool: 'calculator' }, { tool: 'other' }, {}] }, '', ['Calculator', 'other']],
    [{ llmModel: 'chatOpenAI', builtIn: '["web_search"]' }, '', ['Web search']],
    [{ llmModel: 'chatOllama', builtIn: '["web_search"]' }, '', []],
    [{ formInputTypes: [{ label: 'City' }] }, '', []],
  ])('sums up %j', (inputs, second, labels) => {
    const face = nodeFace(nodeWith(llm, inputs), definitions)
    expect(face.second).toBe(second)
    expect(face.tools.map(({ label }) => label)).toEqual(labels)
  })

  it('names the fields of a form', () => {
    const formInputTypes = [{ label: 'City', name: 'city' }, { name: 'date' }]
    expect(nodeFace(nodeWith(start, { startInputType: 'formInput', formInputTypes }), definitions).second).toBe(
      'City, date',
    )
  })

  it('is there exactly where the node is taller', () => {
    const height = (inputs: Record<string, unknown>) => nodeSize(nodeWith(llm, inputs)).height
    expect(height({ messages: [{}] })).toBeGreaterThan(height({}))
    expect(height({ formInputTypes: [{}] })).toBe(height({}))
  })
})
