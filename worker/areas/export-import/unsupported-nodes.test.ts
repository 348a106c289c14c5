import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import { whyUnsupported } from '#contract/flow/rules/unsupported-nodes.ts'
import { importReport } from '#contract/flow/transfer/report.ts'
import { compileChatflow } from '../../engine/chat-plan.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { drawChat } from '../../nodes/chatflow/testing/chat.ts'
import { catalogue } from '../../nodes/registry.ts'

const definitions = componentDefinitions()
const kind = kindOf('CHATFLOW')

/** A conversation whose memory is another node. */
function withMemory(name: string): FlowDocument {
  const flow = drawChat({ chatOpenAI_0: {}, bufferMemory_0: {}, conversationChain_0: {} }, [
    'chatOpenAI_0 > conversationChain_0.model',
    'bufferMemory_0 > conversationChain_0.memory',
  ])
  const nodes = flow.nodes.map((node) =>
    node.data.name === 'bufferMemory' ? { ...node, data: { ...node.data, name, label: 'Memory' } } : node,
  )
  return { ...flow, nodes }
}

describe('a node that cannot run here', () => {
  const why = 'it reaches its database over TCP, and the edge only speaks HTTP. Use Upstash Redis-Backed Chat Memory'

  it('is named by the import, the checklist and the run, with what to use in its place', () => {
    const flow = withMemory('RedisBackedChatMemory')
    const { nodes } = importReport(flow, definitions, { kind })
    expect(nodes.find(({ label }) => label === 'Memory')).toMatchObject({
      verdict: 'unsupported',
      reasons: [expect.stringContaining(`RedisBackedChatMemory is not supported: ${why}. Exports`)],
    })
    const issues = flowProblems(flow, definitions, { kind }).map(({ issue }) => issue)
    expect(issues).toContain(`The node type RedisBackedChatMemory is not available here: ${why}`)
    expect(() => compileChatflow(flow, catalogue)).toThrow(why)
  })

  it('names a node that cannot run here even without a known reason', () => {
    const issues = flowProblems(withMemory('unheardOf'), definitions, { kind }).map(({ issue }) => issue)
    expect(issues).toContain('The node type unheardOf is not available here')
  })

  it('is never one that can', () => {
    expect(definitions.filter(({ name }) => whyUnsupported(name) !== '').map(({ name }) => name)).toEqual([])
  })
})
