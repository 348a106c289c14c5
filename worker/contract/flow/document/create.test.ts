import { describe, expect, it } from 'vitest'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { condition, http, llm } from '../kinds/agentflow/testing/flows.ts'
import { createNode } from './create.ts'
import { nextNodeId } from './ids.ts'

const at = { nodes: [], position: { x: 1, y: 2 } }

describe('nextNodeId', () => {
  it.each([
    [[], 'llm_0'],
    [['llm_0', 'llm_1'], 'llm_2'],
    [['llm_1'], 'llm_0'],
    [['agent_0'], 'llm_0'],
  ])('returns, when %j exist, the id %s', (ids, expected) => {
    expect(
      nextNodeId(
        'llm',
        ids.map((id) => ({ id })),
      ),
    ).toBe(expected)
  })
})

describe('createNode', () => {
  it('keeps false and 0 as defaults, and uses an empty text for missing ones', () => {
    expect(createNode(llm, at, agentflow).data.inputs).toMatchObject({
      llmEnableMemory: false,
      llmRetries: 0,
      llmModel: '',
    })
  })

  it('gives each node its own defaults', () => {
    const [a, b] = [createNode(condition, at, agentflow), createNode(condition, at, agentflow)]
    expect(a.data.inputs?.conditions).toEqual(b.data.inputs?.conditions)
    expect(a.data.inputs?.conditions).not.toBe(b.data.inputs?.conditions)
  })

  it('puts the credential first', () => {
    const { data } = createNode(http, at, agentflow)
    expect(data.inputParams?.[0]).toMatchObject({
      name: 'credential',
      type: 'credential',
      id: 'httpAgentflow_0-input-credential-credential',
      display: true,
    })
    expect(data).toMatchObject({ credential: '', inputs: { body: 'text' } })
  })
})
