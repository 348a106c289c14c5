import { describe, expect, it } from 'vitest'
import { outputLabel } from '#contract/flow/kinds/agentflow/connections.ts'
import { boundsOf } from '../geometry/boxes.ts'
import { nodeHandles } from '../geometry/handles.ts'
import { nodeSize } from '../geometry/node-size.ts'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import { condition, definitions, flowOf, iteration, llm, reply, start } from '../kinds/agentflow/testing/flows.ts'
import { connect, moveNodes, rename, setInputs } from '../store/commands.ts'
import { createCanvas, EMPTY_SELECTION } from '../store/store.ts'
import { followEdgeChanges, followNodeChanges } from './changes.ts'
import { edgeLabel } from './node-labels.ts'
import { viewEdges, viewNodes } from './to-xyflow.ts'
import { freePlace, viewOf, viewWith } from './viewport.ts'

describe('what xyflow gets', () => {
  it('keeps the object of every node that did not change', () => {
    const canvas = createCanvas(flowOf(start, llm, condition), definitions, agentflowKind)
    const before = viewNodes(canvas.state.flow, EMPTY_SELECTION, agentflowKind)
    moveNodes(canvas, new Map([['llmAgentflow_0', { x: 1, y: 1 }]]))
    const after = viewNodes(canvas.state.flow, EMPTY_SELECTION, agentflowKind)
    expect(after.map((view, index) => view === before[index])).toEqual([true, false, true])
    expect(viewNodes(canvas.state.flow, EMPTY_SELECTION, agentflowKind)[1]).toBe(after[1])
  })

  it('puts containers before their children', () => {
    const flow = flowOf(llm, iteration)
    const child = { ...flow.nodes[0], parentNode: 'iterationAgentflow_0', extent: 'parent' }
    const views = viewNodes(
      { nodes: [child, flow.nodes[1]] as typeof flow.nodes, edges: [] },
      EMPTY_SELECTION,
      agentflowKind,
    )
    expect(views.map((view) => [view.id, view.parentId])).toEqual([
      ['iterationAgentflow_0', undefined],
      ['llmAgentflow_0', 'iterationAgentflow_0'],
    ])
  })

  it('leaves out a parent that is not there', () => {
    const flow = flowOf(llm)
    const lost = { ...flow.nodes[0], parentNode: 'gone_0' }
    expect(
      viewNodes({ nodes: [lost] as typeof flow.nodes, edges: [] }, EMPTY_SELECTION, agentflowKind)[0],
    ).not.toHaveProperty('parentId')
  })

  it('leaves out edges whose ends do not exist', () => {
    const canvas = createCanvas(flowOf(start, llm), definitions, agentflowKind)
    connect(canvas, { source: 'startAgentflow_0', target: 'llmAgentflow_0' })
    const [edge] = canvas.state.flow.edges
    const wrong = { ...edge, id: 'wrong', sourceHandle: 'startAgentflow_0-output-9' } as NonNullable<typeof edge>
    const lost = { ...edge, id: 'lost', target: 'gone_0' } as NonNullable<typeof edge>
    const flow = { ...canvas.state.flow, edges: [...canvas.state.flow.edges, wrong, lost] }
    expect(viewEdges(flow, EMPTY_SELECTION, agentflowKind).map((view) => view.id)).toEqual([edge?.id])
  })

  it('calls an edge by what its two nodes are called, and keeps all edges while nodes only move', () => {
    const canvas = createCanvas(flowOf(start, llm), definitions, agentflowKind)
    connect(canvas, { source: 'startAgentflow_0', target: 'llmAgentflow_0' })
    const before = viewEdges(canvas.state.flow, EMPTY_SELECTION, agentflowKind)
    moveNodes(canvas, new Map([['llmAgentflow_0', { x: 1, y: 1 }]]))
    expect(viewEdges(canvas.state.flow, EMPTY_SELECTION, agentflowKind)).toBe(before)
    rename(canvas, 'llmAgentflow_0', 'Writer')
    expect(viewEdges(canvas.state.flow, EMPTY_SELECTION, agentflowKind)[0]?.ariaLabel).toBe('From Start to Writer')
  })

  it("leaves an output's label to the output, and reads it with the edge", () => {
    const canvas = createCanvas(flowOf(llm, condition, reply), definitions, agentflowKind)
    const conditions = [{ value1: '{{llmAgentflow_0}}', operation: 'contains', value2: '42' }]
    setInputs(canvas, 'conditionAgentflow_0', { patch: { conditions } })
    const sourceHandle = 'conditionAgentflow_0-output-0'
    connect(canvas, { source: 'conditionAgentflow_0', sourceHandle, target: 'directReplyAgentflow_0' })
    const shown = () => viewEdges(canvas.state.flow, EMPTY_SELECTION, agentflowKind)[0]
    expect(shown()).toMatchObject({
      data: { label: '' },
      ariaLabel: 'From Condition 0, LLM 0 contains 42 to Direct Reply 0',
    })
    rename(canvas, 'llmAgentflow_0', 'Writer')
    expect(shown()?.ariaLabel).toBe('From Condition 0, Writer contains 42 to Direct Reply 0')
  })

  it('shows the condition on its edge, and the words that a file brings', () => {
    const { nodes } = flowOf(condition)
    const [node] = nodes as [(typeof nodes)[0]]
    node.data.inputs = { conditions: [{ value1: '<p>{{ question }}</p>', operation: 'contains', value2: 'refund' }] }
    const edge = { id: 'e', source: node.id, target: 'x', sourceHandle: `${node.id}-output-0` }
    expect(edgeLabel({ ...edge, data: { edgeLabel: '0' } }, node, agentflowKind)).toBe('{{ question }} contains refund')
    expect(edgeLabel({ ...edge, data: { edgeLabel: 'proceed' } }, node, agentflowKind)).toBe('proceed')
    expect(edgeLabel(edge, node, agentflowKind)).toBe('')
    expect(outputLabel(node, 1)).toBe('Else')
  })
})

describe('what xyflow reports', () => {
  it('takes moves by arrow keys, which come without a drag, as one undoable change', () => {
    const canvas = createCanvas(flowOf(start, llm), definitions, agentflowKind)
    for (const x of [305, 310]) {
      followNodeChanges(canvas, [{ type: 'position', id: 'llmAgentflow_0', position: { x, y: 0 }, dragging: false }])
    }
    expect(canvas.state.flow.nodes[1]?.position).toEqual({ x: 310, y: 0 })
    expect(canvas.state.history.past.map((change) => change.name)).toEqual(['move LLM 0'])
  })

  it('follows the selection of nodes and edges', () => {
    const canvas = createCanvas(flowOf(start, llm), definitions, agentflowKind)
    followNodeChanges(canvas, [{ type: 'select', id: 'llmAgentflow_0', selected: true }])
    followEdgeChanges(canvas, [{ type: 'select', id: 'e', selected: true }])
    expect(canvas.state.selection).toEqual({ nodes: ['llmAgentflow_0'], edges: ['e'] })
    followNodeChanges(canvas, [{ type: 'select', id: 'llmAgentflow_0', selected: false }])
    expect(canvas.state.selection).toEqual({ nodes: [], edges: ['e'] })
  })

  it('takes sizes only from a person who resizes', () => {
    const canvas = createCanvas(flowOf(iteration), definitions, agentflowKind)
    const dimensions = { width: 500, height: 400 }
    followNodeChanges(canvas, [{ type: 'dimensions', id: 'iterationAgentflow_0', dimensions }])
    expect(canvas.state.history.past).toEqual([])
    followNodeChanges(canvas, [{ type: 'dimensions', id: 'iterationAgentflow_0', dimensions, resizing: true }])
    expect(nodeSize(canvas.state.flow.nodes[0] as never)).toEqual(dimensions)
  })
})

describe('sizes and places', () => {
  it('gives a handle per output, below each other', () => {
    const [node] = flowOf(condition).nodes
    const [target, ...sources] = nodeHandles(node as never, agentflowKind)
    expect(target).toMatchObject({ id: 'conditionAgentflow_0', type: 'target', x: 0 })
    expect(sources.map((handle) => handle.id)).toEqual([
      'conditionAgentflow_0-output-0',
      'conditionAgentflow_0-output-1',
    ])
    expect(sources[1]?.y).toBeGreaterThan(sources[0]?.y as number)
  })

  it('shows a flow whole, not closer than 1:1', () => {
    expect(viewOf(flowOf(start, llm), { width: 2000, height: 1000 })?.zoom).toBe(1)
    expect(viewOf(flowOf(start, llm, llm, llm), { width: 400, height: 400 })?.zoom).toBeLessThan(0.5)
    expect(viewOf({ nodes: [], edges: [] }, { width: 400, height: 400 })).toBeNull()
  })

  it('moves the view by as little as brings a node onto the pane', () => {
    const flow = flowOf(start, llm)
    const pane = { width: 400, height: 300 }
    expect(viewWith(flow, 'startAgentflow_0', { view: { x: 50, y: 50, zoom: 1 }, pane })).toBeNull()
    expect(viewWith(flow, 'startAgentflow_0', { view: { x: -10, y: 50, zoom: 1 }, pane })).toMatchObject({
      x: 24,
      y: 50,
    })
    const right = 300 + nodeSize(flow.nodes[1] as never).width
    expect(viewWith(flow, 'llmAgentflow_0', { view: { x: 0, y: 50, zoom: 1 }, pane })?.x).toBe(400 - 24 - right)
    expect(viewWith(flow, 'gone', { view: { x: 0, y: 0, zoom: 1 }, pane })).toBeNull()
  })

  it('finds a place for a new node that covers no other', () => {
    const flow = flowOf(start, llm)
    expect(freePlace(flow, { x: 50, y: 30 }).x).toBeGreaterThan(300 + nodeSize(flow.nodes[1] as never).width)
    expect(freePlace(flow, { x: 50, y: 500 })).toEqual({ x: 50, y: 500 })
  })

  it('knows the box around boxes', () => {
    expect(
      boundsOf([
        { x: 0, y: 5, width: 10, height: 10 },
        { x: -5, y: 0, width: 5, height: 5 },
      ]),
    ).toEqual({
      x: -5,
      y: 0,
      width: 15,
      height: 15,
    })
  })
})
