import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { loopBackValue } from '../kinds/agentflow/loop.ts'
import { condition, iteration, llm, loop, start, withEdges, withNodes } from '../kinds/agentflow/testing/flows.ts'
import { empty, nodeOf, withInputs, withParent } from '../testing/flows.ts'
import { orphanedEdges } from './orphans.ts'
import { removeNodes } from './remove.ts'

describe('removeNodes', () => {
  it('removes the edges of a node', () => {
    const flow = withEdges(
      withNodes(empty, start, llm, llm),
      'startAgentflow_0 > llmAgentflow_0',
      'llmAgentflow_0 > llmAgentflow_1',
    )
    const left = removeNodes(flow, ['llmAgentflow_0'], agentflow)
    expect(left.nodes.map((node) => node.id)).toEqual(['startAgentflow_0', 'llmAgentflow_1'])
    expect(left.edges).toEqual([])
    expect(flow.nodes).toHaveLength(3)
  })

  it('removes children and their edges', () => {
    let flow = withNodes(empty, iteration, llm, llm, llm)
    flow = withParent(
      withParent(flow, 'llmAgentflow_0', 'iterationAgentflow_0'),
      'llmAgentflow_1',
      'iterationAgentflow_0',
    )
    flow = withEdges(flow, 'llmAgentflow_0 > llmAgentflow_1', 'iterationAgentflow_0 > llmAgentflow_2')
    const left = removeNodes(flow, ['iterationAgentflow_0'], agentflow)
    expect(left).toMatchObject({ nodes: [{ id: 'llmAgentflow_2' }], edges: [] })
  })

  it('clears inputs that were a reference to the node, and keeps mentions in texts', () => {
    const flow = withInputs(withNodes(empty, llm, llm, loop), 'llmAgentflow_1', {
      llmMessages: [
        { role: 'user', content: '{{ llmAgentflow_0.output.x }}' },
        { role: 'user', content: 'See {{llmAgentflow_0}}' },
      ],
      llmModel: '{{question}}',
    })
    const looping = withInputs(flow, 'loopAgentflow_0', {
      loopBackToNode: loopBackValue(nodeOf(flow, 'llmAgentflow_0')),
    })
    const left = removeNodes(looping, ['llmAgentflow_0'], agentflow)
    expect(nodeOf(left, 'llmAgentflow_1').data.inputs).toMatchObject({
      llmMessages: [
        { role: 'user', content: '' },
        { role: 'user', content: 'See {{llmAgentflow_0}}' },
      ],
      llmModel: '{{question}}',
    })
    expect(nodeOf(left, 'loopAgentflow_0').data.inputs?.loopBackToNode).toBe('')
  })
})

it('removing a node leaves no orphaned edges', () => {
  const definitions = fc.array(fc.constantFrom(llm, condition, iteration, loop), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(definitions, fc.array(fc.tuple(fc.nat(11), fc.nat(11))), fc.array(fc.nat(11)), (kinds, pairs, gone) => {
      let flow = withNodes(empty, start, ...kinds)
      const ids = flow.nodes.map((node) => node.id)
      const at = (index: number) => ids[index % ids.length] as string
      for (const [a, b] of pairs) {
        if (nodeOf(flow, at(a)).data.hideOutput || nodeOf(flow, at(b)).data.hideInput) continue
        flow = withEdges(flow, `${at(a)} > ${at(b)}`)
      }
      for (const [a, b] of pairs) {
        if (nodeOf(flow, at(a)).type === 'iteration' && a % ids.length < b % ids.length)
          flow = withParent(flow, at(b), at(a))
      }
      const left = removeNodes(flow, gone.map(at), agentflow)
      expect(orphanedEdges(left, agentflow)).toEqual([])
      const kept = new Set(left.nodes.map((node) => node.id))
      expect(left.nodes.every((node) => !node.parentNode || kept.has(node.parentNode))).toBe(true)
    }),
  )
})
