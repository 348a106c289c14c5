import { describe, expect, it } from 'vitest'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import { definitions, flowOf, llm, reply, start } from '../kinds/agentflow/testing/flows.ts'
import { alignSelection, layOut } from './arrange.ts'
import { copySelection, readClipboard } from './clipboard.ts'
import { connect, pasteClipboard } from './commands.ts'
import { createCanvas, select, undo } from './store.ts'

describe('copy and paste', () => {
  it('carries nodes and their connections to another canvas', () => {
    const here = createCanvas(flowOf(start, llm, reply), definitions, agentflowKind)
    connect(here, { source: 'llmAgentflow_0', target: 'directReplyAgentflow_0' })
    select(here, { nodes: ['llmAgentflow_0', 'directReplyAgentflow_0'] })
    const clipboard = readClipboard(copySelection(here) ?? '')
    const there = createCanvas(flowOf(llm), definitions, agentflowKind)
    expect(clipboard && pasteClipboard(there, clipboard, { at: { x: 10, y: 20 } })).toEqual({ ok: true })
    expect(there.state.flow.nodes.map((node) => node.id)).toEqual([
      'llmAgentflow_0',
      'llmAgentflow_1',
      'directReplyAgentflow_0',
    ])
    expect(there.state.flow.edges).toMatchObject([{ source: 'llmAgentflow_1', target: 'directReplyAgentflow_0' }])
    expect(there.state.flow.nodes[1]?.position).toEqual({ x: 10, y: 20 })
  })

  it('leaves a second Start out', () => {
    const canvas = createCanvas(flowOf(start), definitions, agentflowKind)
    select(canvas, { nodes: ['startAgentflow_0'] })
    const clipboard = readClipboard(copySelection(canvas) ?? '')
    expect(clipboard && pasteClipboard(canvas, clipboard, { at: { x: 0, y: 0 } })).toMatchObject({ ok: false })
  })

  it.each([
    '',
    'hello',
    '{}',
    '[1]',
    '{"heddle":"nodes","nodes":[],"edges":[]}',
    '{"heddle":"nodes","nodes":[{}],"edges":[]}',
  ])('takes nothing from %j', (text) => expect(readClipboard(text)).toBeNull())

  it('copies nothing while nothing is selected', () => {
    expect(copySelection(createCanvas(flowOf(start), definitions, agentflowKind))).toBeNull()
  })
})

describe('putting in order', () => {
  it('aligns by the outermost node, as one change', () => {
    const canvas = createCanvas(flowOf(start, llm, reply), definitions, agentflowKind)
    select(canvas, { nodes: ['startAgentflow_0', 'llmAgentflow_0'] })
    alignSelection(canvas, 'left')
    expect(canvas.state.flow.nodes.map((node) => node.position.x)).toEqual([0, 0, 600])
    undo(canvas)
    expect(canvas.state.flow.nodes.map((node) => node.position.x)).toEqual([0, 300, 600])
  })

  it('lays the flow out along its connections', async () => {
    const canvas = createCanvas(flowOf(reply, llm, start), definitions, agentflowKind)
    connect(canvas, { source: 'startAgentflow_0', target: 'llmAgentflow_0' })
    connect(canvas, { source: 'llmAgentflow_0', target: 'directReplyAgentflow_0' })
    await layOut(canvas)
    const x = (id: string) => canvas.state.flow.nodes.find((node) => node.id === id)?.position.x as number
    expect(x('startAgentflow_0')).toBeLessThan(x('llmAgentflow_0'))
    expect(x('llmAgentflow_0')).toBeLessThan(x('directReplyAgentflow_0'))
  })
})
