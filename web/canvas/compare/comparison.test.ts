import { expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document.ts'
import { definitions, flowOf, llm, reply, start } from '../fixtures.ts'
import * as compare from './comparison.ts'

const comparison = (before: FlowDocument, after: FlowDocument) => compare.comparison(before, after, definitions)
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target, targetHandle: target })
const withNode = (flow: FlowDocument, id: string, data: object): FlowDocument => ({
  ...flow,
  nodes: flow.nodes.map((node) => (node.id === id ? { ...node, data: { ...node.data, ...data } } : node)),
})

it('finds no difference where nodes were only moved', () => {
  const flow = flowOf(start, llm)
  const moved = { ...flow, nodes: flow.nodes.map((node) => ({ ...node, position: { x: 9, y: 9 } })) }
  expect(comparison(flow, moved)).toMatchObject({ flow: moved, differences: [] })
})

it('marks what was added, removed and changed, and keeps what was removed in the picture', () => {
  const before = { ...flowOf(start, llm), edges: [edge('startAgentflow_0', 'llmAgentflow_0')] }
  const now = flowOf(start, reply)
  const changed = withNode(now, 'startAgentflow_0', { label: 'Begin', inputs: { mode: { deep: 1 } } })
  const { flow, marks, differences } = comparison(before, changed)
  expect(Object.fromEntries(marks)).toEqual({
    startAgentflow_0: 'changed',
    directReplyAgentflow_0: 'added',
    llmAgentflow_0: 'removed',
    'startAgentflow_0-llmAgentflow_0': 'removed',
  })
  expect(flow.nodes.map((node) => node.id)).toEqual(['startAgentflow_0', 'directReplyAgentflow_0', 'llmAgentflow_0'])
  expect(differences[0]?.details).toEqual([
    { label: 'Name', before: 'Start', after: 'Begin' },
    { label: 'mode', before: '', after: '{\n  "deep": 1\n}' },
  ])
  expect(differences.at(-1)).toMatchObject({ label: 'Connection Begin → LLM 0', nodeId: 'startAgentflow_0' })
})

it('tells inputs by their labels, how a node runs, and reads rich text as text', () => {
  const before = withNode(flowOf(llm), 'llmAgentflow_0', { inputs: { llmUserMessage: '<p>Hi</p>' } })
  const after = withNode(before, 'llmAgentflow_0', { inputs: { llmUserMessage: 'Hello' }, runPolicy: { retries: 2 } })
  const details = comparison(before, after).differences[0]?.details
  expect(details).toEqual([
    { label: 'Input Message', before: 'Hi', after: 'Hello' },
    { label: 'Retries', before: '0', after: '2' },
  ])
})

it('says of a secret only that it is another one', () => {
  const before = withNode(flowOf(llm), 'llmAgentflow_0', { credential: 'first' })
  const after = withNode(before, 'llmAgentflow_0', { credential: 'second' })
  expect(comparison(before, after).differences[0]?.details).toEqual([
    { label: 'Credential', before: 'another value', after: 'a new value, not shown' },
  ])
})
