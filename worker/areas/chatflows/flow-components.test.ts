import { expect, it } from 'vitest'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { flowComponents } from './flow-components.ts'

const node = (name: string, inputs = {}): FlowNode => ({
  id: name,
  type: 'agentFlow',
  position: { x: 0, y: 0 },
  data: { id: name, name, label: '', inputs },
})

const namesOf = (...nodes: FlowNode[]) => flowComponents({ nodes }).map(({ name }) => name)

it('finds node types, and what their inputs choose, each once', () => {
  const agent = node('agentAgentflow', {
    agentModel: 'practiceModel',
    agentTools: [{ agentSelectedTool: 'calculator' }],
    picked: '["currentDateTime", "calculator", "[[["]',
    agentMessages: [{ content: 'startAgentflow is a word here' }],
  })
  expect(namesOf(node('startAgentflow'), agent, agent).sort()).toEqual([
    'agentAgentflow',
    'calculator',
    'currentDateTime',
    'practiceModel',
    'startAgentflow',
  ])
})

it('the components of a flow leave out unknown nodes', () => {
  expect(namesOf(node('unheardOf', { model: 'constructor' }))).toEqual([])
})

it('the components of a flow are a fraction of the catalogue', () => {
  const size = (value: unknown) => JSON.stringify(value).length
  expect(size(flowComponents({ nodes: [node('startAgentflow')] }))).toBeLessThan(size(componentDefinitions()) / 5)
})
