import { expect, it } from 'vitest'
import { flowOf, llm, reply, start } from '../kinds/agentflow/testing/flows.ts'
import { findInFlow } from './find-in-flow.ts'

const flow = flowOf(start, llm, reply)
const [, writer] = flow.nodes
const found = (query: string, inputs: Record<string, unknown> = {}) => {
  const nodes = flow.nodes.map((node) => (node === writer ? { ...node, data: { ...node.data, inputs } } : node))
  return findInFlow({ ...flow, nodes }, query)
}

it('nodes are found by name, without regard to case', () => {
  expect(found('START')).toMatchObject([{ nodeId: 'startAgentflow_0', where: 'Name' }])
})

it('nodes are found by their type after they got another name', () => {
  const nodes = flow.nodes.map((node) => ({ ...node, data: { ...node.data, label: 'Renamed' } }))
  expect(findInFlow({ ...flow, nodes }, 'direct reply')).toMatchObject([
    { nodeId: 'directReplyAgentflow_0', where: 'Type', excerpt: 'Direct Reply' },
  ])
})

it('nodes are found by text deep in their inputs, and the match says where', () => {
  const inputs = { llmMessages: [{ role: 'system', content: `You are ${'very '.repeat(20)}strict\n about grammar.` }] }
  const [match, ...others] = found('strict', inputs)
  expect(others).toEqual([])
  expect(match).toMatchObject({ nodeId: writer?.id })
  expect(match?.excerpt).toContain('strict about grammar.')
  expect(match?.excerpt).toMatch(/^…/)
  expect(found('0.7', { temperature: 0.7 })).toHaveLength(1)
})

it('a node is listed once although it matches in several places', () => {
  expect(found('twice', { one: 'twice', two: 'twice' })).toHaveLength(1)
})

it('an empty search finds nothing', () => {
  expect(found('  ')).toEqual([])
})
