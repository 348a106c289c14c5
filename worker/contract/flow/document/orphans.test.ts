import { describe, expect, it } from 'vitest'
import { chatModel, condition, empty, llm, start, toolAgent, withEdges, withNodes } from '../testing/flows.ts'
import type { FlowEdge } from './document.ts'
import { orphanedEdges } from './orphans.ts'

const nodes = withNodes(empty, start, llm, condition, toolAgent, chatModel).nodes
const edge = (more: Partial<FlowEdge>): FlowEdge => ({
  id: 'e',
  source: 'startAgentflow_0',
  sourceHandle: 'startAgentflow_0-output-startAgentflow',
  target: 'llmAgentflow_0',
  targetHandle: 'llmAgentflow_0',
  ...more,
})
const link = (more: Partial<FlowEdge>): FlowEdge => ({
  id: 'l',
  source: 'chatScripted_0',
  sourceHandle: 'chatScripted_0-output-chatScripted-ChatScripted|BaseChatModel|BaseLanguageModel',
  target: 'toolAgent_0',
  targetHandle: 'toolAgent_0-input-model-BaseChatModel | BaseLLM',
  ...more,
})

describe('orphanedEdges', () => {
  it.each<[string, FlowEdge, boolean]>([
    ['a good edge', edge({}), false],
    ['a source that is gone', edge({ source: 'gone_0' }), true],
    ['a target that is gone', edge({ target: 'gone_0', targetHandle: 'gone_0' }), true],
    ['a handle of another node', edge({ targetHandle: 'llmAgentflow_1' }), true],
    ['an output of another node', edge({ sourceHandle: 'llmAgentflow_0-output-llmAgentflow' }), true],
    ['no handles', edge({ sourceHandle: null, targetHandle: null }), true],
    [
      'an output that is no more',
      edge({ source: 'conditionAgentflow_0', sourceHandle: 'conditionAgentflow_0-output-5' }),
      true,
    ],
    ['a node without input', edge({ target: 'startAgentflow_0', targetHandle: 'startAgentflow_0' }), true],
    ['a good link', link({}), false],
    [
      'a link whose types have changed',
      link({ sourceHandle: 'chatScripted_0-output-chatScripted-Other|Types' }),
      false,
    ],
    ['a link to a parameter', link({ targetHandle: 'toolAgent_0-input-systemMessage-string' }), false],
    ['an input that is no more', link({ targetHandle: 'toolAgent_0-input-memory-BaseMemory' }), true],
    ['an output that is no more', link({ sourceHandle: 'chatScripted_0-output-other-ChatScripted' }), true],
  ])('%s', (_, one, orphaned) => expect(orphanedEdges({ nodes, edges: [one] })).toEqual(orphaned ? [one] : []))

  it('finds none among edges that were just made', () => {
    expect(
      orphanedEdges(
        withEdges(
          { nodes, edges: [] },
          'startAgentflow_0 > conditionAgentflow_0',
          'conditionAgentflow_0:1 > llmAgentflow_0',
        ),
      ),
    ).toEqual([])
  })
})
