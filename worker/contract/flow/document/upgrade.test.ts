import { expect, it } from 'vitest'
import { rebuildConditionOutputs } from '../kinds/agentflow/conditions.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { condition, http, llm, withEdges, withNodes } from '../kinds/agentflow/testing/flows.ts'
import { empty, nodeOf, withInputs } from '../testing/flows.ts'
import { orphanedEdges } from './orphans.ts'
import { needsUpgrade, upgradeNode } from './upgrade.ts'

const newer = {
  ...llm,
  version: 2,
  description: 'Better',
  inputs: [
    ...llm.inputs.filter((input) => input.name !== 'llmRetries'),
    { label: 'Mood', name: 'mood', type: 'string', default: 'calm' },
  ],
}

it('adopts the definition and keeps a person’s changes', () => {
  const flow = withEdges(
    withInputs(withNodes(empty, llm, llm), 'llmAgentflow_0', { llmModel: 'm', llmRetries: 3, own: 1 }),
    'llmAgentflow_0 > llmAgentflow_1',
  )
  const before = nodeOf(flow, 'llmAgentflow_0')
  const after = upgradeNode(before, newer, agentflow)
  expect(needsUpgrade(before, newer)).toBe(true)
  expect(needsUpgrade(after, newer)).toBe(false)
  expect(after).toMatchObject({
    id: before.id,
    position: before.position,
    data: { label: 'LLM 0', version: 2, description: 'Better' },
  })
  expect(after.data.inputs).toMatchObject({
    llmModel: 'm',
    llmRetries: 3,
    own: 1,
    mood: 'calm',
    llmEnableMemory: false,
  })
  expect(after.data.inputParams?.map((param) => param.name)).toEqual(newer.inputs.map((input) => input.name))
  expect(after.data.inputParams?.at(-1)).toMatchObject({ id: 'llmAgentflow_0-input-mood-string', display: true })
  expect(orphanedEdges({ nodes: [after, nodeOf(flow, 'llmAgentflow_1')], edges: flow.edges }, agentflow)).toEqual([])
})

it('keeps one output of a condition per item', () => {
  const id = 'conditionAgentflow_0'
  let flow = withInputs(withNodes(empty, condition, llm), id, { conditions: [{}, {}, {}] })
  flow = withEdges(rebuildConditionOutputs(flow, id), `${id}:3 > llmAgentflow_0`)
  const after = upgradeNode(nodeOf(flow, id), { ...condition, version: 2 }, agentflow)
  expect(after.data.outputAnchors).toEqual(nodeOf(flow, id).data.outputAnchors)
})

it('keeps the credential', () => {
  const node = nodeOf(withNodes(empty, http), 'httpAgentflow_0')
  const chosen = { ...node, data: { ...node.data, credential: 'c1' } }
  expect(upgradeNode(chosen, { ...http, version: 3 }, agentflow).data.credential).toBe('c1')
})
