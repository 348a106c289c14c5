import { expect, it } from 'vitest'
import { newDocument } from '#contract/flow/document/draw.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import { componentDefinitions } from './catalogue.ts'

const definitions = componentDefinitions()

it('a new agent flow is a Start and an agent with the practice model, connected, with nothing left to fill in', () => {
  const flow = newDocument(agentflow, definitions)
  expect(flow.nodes.map(({ data }) => [data.name, data.inputs?.agentModel])).toEqual([
    ['startAgentflow', undefined],
    ['agentAgentflow', 'practiceModel'],
  ])
  expect(flow.edges).toMatchObject([{ source: 'startAgentflow_0', target: 'agentAgentflow_0' }])
  expect(flowProblems(flow, definitions, { kind: agentflow })).toEqual([])
})

it('a new flow leaves out first nodes that are not known', () => {
  expect(newDocument(agentflow, []).nodes).toEqual([])
})
