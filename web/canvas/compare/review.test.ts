import { expect, it } from 'vitest'
import { diffFlows } from '#contract/flow/diff/diff.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { defaultPolicy } from '#contract/flow/params/run-policy.ts'
import { definitions, flowOf, llm, reply, start } from '../kinds/agentflow/testing/flows.ts'
import { groupChanges } from './review.ts'

const withNode = (flow: FlowDocument, id: string, data: object): FlowDocument => ({
  ...flow,
  nodes: flow.nodes.map((node) => (node.id === id ? { ...node, data: { ...node.data, ...data } } : node)),
})
const review = (before: FlowDocument, after: FlowDocument) =>
  groupChanges(diffFlows(before, after, { components: definitions, kind: agentflow }))

it('counts nodes that were only moved', () => {
  const flow = flowOf(start, llm)
  const moved = { ...flow, nodes: flow.nodes.map((node) => ({ ...node, position: { x: 9, y: 9 } })) }
  expect(review(flow, moved)).toEqual({ differences: [], marks: new Map(), moved: 2 })
})

it('lists added, removed and changed nodes, and both sides of changed inputs as text', () => {
  const before = withNode(flowOf(start, llm), 'startAgentflow_0', { label: 'Start' })
  const changed = withNode(before, 'llmAgentflow_0', { inputs: { llmUserMessage: '<p>Hi</p>' }, credential: 'c' })
  const { differences, marks } = review(before, {
    ...changed,
    nodes: [...changed.nodes.slice(1), ...flowOf(reply).nodes],
  })
  expect(Object.fromEntries(marks)).toEqual({
    startAgentflow_0: 'removed',
    llmAgentflow_0: 'changed',
    directReplyAgentflow_0: 'added',
  })
  const { details } = differences.find(({ id }) => id === 'llmAgentflow_0') as (typeof differences)[0]
  expect(details).toContainEqual({ label: 'Input message', sides: { before: '', after: 'Hi' } })
  expect(details).toContainEqual({ label: 'Credential' })
})

it('shows run settings in words', () => {
  const flow = flowOf(start, llm)
  const policy = { ...defaultPolicy, retries: 2, onError: 'branch' }
  const { differences } = review(flow, withNode(flow, 'llmAgentflow_0', { runPolicy: policy }))
  expect(differences.flatMap(({ details }) => details)).toEqual([
    { label: 'Retries', sides: { before: '0', after: '2' } },
    { label: 'When it fails', sides: { before: 'Stop the run', after: 'Continue from the error output' } },
  ])
})
