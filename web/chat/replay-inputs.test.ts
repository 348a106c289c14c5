import { expect, it } from 'vitest'
import { HIDDEN } from '#contract/data/secrets.ts'
import { changedInputs, editableInputs, readInputs, savedInputs } from './replay-inputs.ts'

const saved = {
  llmMessages: [{ role: 'user', content: '{{ question }}' }],
  llmModel: 'chatOpenAI',
  llmModelConfig: { temperature: 0, FLOWISE_CREDENTIAL_ID: 'c' },
}

it('shows resolved inputs, but settings with a credential as saved', () => {
  const shown = { llmMessages: [{ role: 'user', content: 'Hi' }], llmModelConfig: { temperature: 0 }, messages: [] }
  expect(editableInputs(saved, shown)).toEqual({ ...saved, llmMessages: shown.llmMessages })
  expect(editableInputs(saved, 'no object')).toEqual(saved)
})

it('keeps inputs that the trace hides as saved', () => {
  const tools = [{ agentSelectedTool: 'customMCP', agentSelectedToolConfig: { mcpServerConfig: '{"url":"x"}' } }]
  const shown = {
    agentTools: [{ agentSelectedTool: 'customMCP', agentSelectedToolConfig: { mcpServerConfig: HIDDEN } }],
  }
  expect(editableInputs({ agentTools: tools }, shown)).toEqual({ agentTools: tools })
})

it.each([
  [saved, undefined],
  [{ ...saved, llmModel: 'chatGroq' }, { llmModel: 'chatGroq' }],
  [{ ...saved, more: 1 }, { more: 1 }],
  [{}, undefined],
])('reduces %j to the changed inputs %j', (after, expected) => expect(changedInputs(saved, after)).toEqual(expected))

it.each([
  ['{"a": 1}', { inputs: { a: 1 } }],
  ['[1]', { problem: 'Enter a JSON object, such as {"name": "Ann"}.' }],
  ['null', { problem: 'Enter a JSON object, such as {"name": "Ann"}.' }],
  ['{', { problem: expect.stringContaining('Invalid JSON') }],
])('parses the edited inputs %s', (text, expected) => expect(readInputs(text)).toEqual(expected))

it('finds the saved inputs of a step', () => {
  const node = {
    id: 'llm_0',
    type: 'agentFlow',
    position: { x: 0, y: 0 },
    data: { id: 'llm_0', name: 'llm', label: 'LLM', inputs: { a: 1 } },
  }
  const flowData = JSON.stringify({ nodes: [node], edges: [] })
  expect(savedInputs(flowData, 'llm_0')).toEqual({ a: 1 })
  expect(savedInputs(flowData, 'llm_9')).toBeUndefined()
})
