import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loopBackValue } from '../kinds/agentflow/loop.ts'
import {
  chatModel,
  condition,
  empty,
  iteration,
  llm,
  loop,
  nodeOf,
  readTool,
  start,
  toolAgent,
  withEdges,
  withInputs,
  withNodes,
  withParent,
  writeTool,
} from '../testing/flows.ts'
import { connectNodes } from './connect.ts'
import { orphanedEdges } from './orphans.ts'
import { removeEdges, removeNodes } from './remove.ts'

describe('removeNodes', () => {
  it('takes edges along', () => {
    const flow = withEdges(
      withNodes(empty, start, llm, llm),
      'startAgentflow_0 > llmAgentflow_0',
      'llmAgentflow_0 > llmAgentflow_1',
    )
    const left = removeNodes(flow, ['llmAgentflow_0'])
    expect(left.nodes.map((node) => node.id)).toEqual(['startAgentflow_0', 'llmAgentflow_1'])
    expect(left.edges).toEqual([])
    expect(flow.nodes).toHaveLength(3)
  })

  it('takes children and their edges along', () => {
    let flow = withNodes(empty, iteration, llm, llm, llm)
    flow = withParent(
      withParent(flow, 'llmAgentflow_0', 'iterationAgentflow_0'),
      'llmAgentflow_1',
      'iterationAgentflow_0',
    )
    flow = withEdges(flow, 'llmAgentflow_0 > llmAgentflow_1', 'iterationAgentflow_0 > llmAgentflow_2')
    const left = removeNodes(flow, ['iterationAgentflow_0'])
    expect(left).toMatchObject({ nodes: [{ id: 'llmAgentflow_2' }], edges: [] })
  })

  it('clears inputs that were a reference to it, and leaves mentions in texts', () => {
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
    const left = removeNodes(looping, ['llmAgentflow_0'])
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

const toolFlow = [
  {
    source: 'chatScripted_0',
    sourceHandle: 'chatScripted_0-output-chatScripted-ChatScripted|BaseChatModel|BaseLanguageModel',
    target: 'toolAgent_0',
    targetHandle: 'toolAgent_0-input-model-BaseChatModel | BaseLLM',
  },
  {
    source: 'readFile_0',
    sourceHandle: 'readFile_0-output-readFile-ReadFile|Tool',
    target: 'toolAgent_0',
    targetHandle: 'toolAgent_0-input-tools-Tool',
  },
  {
    source: 'writeFile_0',
    sourceHandle: 'writeFile_0-output-writeFile-WriteFile|Tool',
    target: 'toolAgent_0',
    targetHandle: 'toolAgent_0-input-tools-Tool',
  },
].reduce((so, link) => connectNodes(so, link), withNodes(empty, toolAgent, chatModel, readTool, writeTool))

describe('classic links', () => {
  it.each([
    ['the node', removeNodes(toolFlow, ['chatScripted_0'])],
    ['the edge', removeEdges(toolFlow, [toolFlow.edges[0]?.id ?? ''])],
  ])('become empty without %s', (_, left) => {
    expect(nodeOf(left, 'toolAgent_0').data.inputs).toMatchObject({
      model: '',
      tools: ['{{readFile_0.data.instance}}', '{{writeFile_0.data.instance}}'],
    })
    expect(left.edges).toHaveLength(2)
  })
  it('leave a list', () => {
    const left = removeNodes(toolFlow, ['readFile_0'])
    expect(nodeOf(left, 'toolAgent_0').data.inputs?.tools).toEqual(['{{writeFile_0.data.instance}}'])
  })
})

it('leaves no orphan, whatever is removed', () => {
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
      const left = removeNodes(flow, gone.map(at))
      expect(orphanedEdges(left)).toEqual([])
      const kept = new Set(left.nodes.map((node) => node.id))
      expect(left.nodes.every((node) => !node.parentNode || kept.has(node.parentNode))).toBe(true)
    }),
  )
})
