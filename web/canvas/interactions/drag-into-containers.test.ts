import { describe, expect, it } from 'vitest'
import { canResize, childrenOf, PADDING } from '../geometry/containers.ts'
import { nodeSize } from '../geometry/node-size.ts'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import { definitions, flowOf, iteration, llm, reply, start } from '../kinds/agentflow/testing/flows.ts'
import { layOut } from '../store/arrange.ts'
import { connect, duplicateSelection, moveNodes, moveToContainer, removeSelection } from '../store/commands.ts'
import { addNodeAt } from '../store/insertions.ts'
import { createCanvas, redo, select, undo } from '../store/store.ts'
import { followNodeChanges } from '../surface/changes.ts'
import { viewNodes } from '../surface/to-xyflow.ts'
import { beginDrag, dragOver, endDrag } from './drag.ts'

const BOX = 'iterationAgentflow_0'
const LLM = 'llmAgentflow_0'

/** An LLM at 0, an iteration at 300. */
const open = () => createCanvas(flowOf(llm, iteration, start), definitions, agentflowKind)
const nodeOf = (canvas: ReturnType<typeof open>, id: string) =>
  canvas.state.flow.nodes.find((node) => node.id === id) as ReturnType<typeof flowOf>['nodes'][0]

/** Drags a node so that pointer and corner end at `to`, by way of xyflow's changes. */
function drag(canvas: ReturnType<typeof open>, id: string, to: { x: number; y: number; pointer?: [number, number] }) {
  const [x, y] = to.pointer ?? [to.x, to.y]
  beginDrag(canvas, [id])
  followNodeChanges(canvas, [{ type: 'position', id, position: { x: to.x, y: to.y }, dragging: true }])
  dragOver(canvas, { x, y })
  const shown = canvas.state.drop
  return { shown, verdict: endDrag(canvas, { x, y }) }
}

describe('dragging', () => {
  it('into a container puts the node inside, where it was dropped, as one change', () => {
    const canvas = open()
    const { shown } = drag(canvas, LLM, { x: 330, y: 90 })
    expect(shown).toMatchObject({ containerId: BOX, verdict: { ok: true } })
    expect(nodeOf(canvas, LLM)).toMatchObject({ parentNode: BOX, extent: 'parent', position: { x: 30, y: 90 } })
    expect(canvas.state.drop).toBeNull()
    expect(canvas.state.history.past.map((change) => change.name)).toEqual(['move LLM 0 into Iteration 0'])
    undo(canvas)
    expect(nodeOf(canvas, LLM)).toMatchObject({ position: { x: 0, y: 0 } })
    redo(canvas)
    expect(childrenOf(canvas.state.flow, BOX)).toHaveLength(1)
  })

  it('out of a container takes the node out', () => {
    const canvas = open()
    drag(canvas, LLM, { x: 330, y: 90 })
    drag(canvas, LLM, { x: 30, y: 500, pointer: [330, 510] })
    expect(nodeOf(canvas, LLM)).not.toHaveProperty('parentNode')
    expect(nodeOf(canvas, LLM).position).toEqual({ x: 330, y: 500 })
  })

  it('inside a container holds the node within its border', () => {
    const canvas = open()
    drag(canvas, LLM, { x: 330, y: 90 })
    drag(canvas, LLM, { x: -40, y: 5, pointer: [310, 20] })
    expect(nodeOf(canvas, LLM)).toMatchObject({ parentNode: BOX, position: { x: PADDING.left, y: PADDING.top } })
  })

  it('refuses to drag a connected node over the border, names the reason and changes nothing', () => {
    const canvas = open()
    connect(canvas, { source: 'startAgentflow_0', target: LLM })
    const before = canvas.state.flow
    const { shown, verdict } = drag(canvas, LLM, { x: 330, y: 90 })
    expect(shown?.verdict.ok).toBe(false)
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining('LLM 0 is connected to Start') })
    expect(canvas.state.flow).toBe(before)
    expect(canvas.state.history.past.map((change) => change.name)).toEqual(['connect Start to LLM 0'])
  })

  it('moves a container that is dragged over another one, without nesting it', () => {
    const canvas = createCanvas(flowOf(iteration, iteration), definitions, agentflowKind)
    drag(canvas, BOX, { x: 350, y: 20 })
    expect(nodeOf(canvas, BOX)).not.toHaveProperty('parentNode')
  })

  it('refuses what may not lie inside', () => {
    const { verdict } = drag(open(), 'startAgentflow_0', { x: 330, y: 90 })
    expect(verdict.ok).toBe(false)
  })
})

describe('a container', () => {
  it('takes a node of the palette, grows for it, and keeps edges inside', () => {
    const canvas = open()
    addNodeAt(canvas, llm, { at: { x: 590, y: 240 } })
    addNodeAt(canvas, reply, { at: { x: 400, y: 200 } })
    expect(childrenOf(canvas.state.flow, BOX).map((node) => node.id)).toEqual([
      'llmAgentflow_1',
      'directReplyAgentflow_0',
    ])
    const [child] = childrenOf(canvas.state.flow, BOX)
    expect((child?.position.x ?? 0) + nodeSize(child as never).width).toBeLessThanOrEqual(
      nodeSize(nodeOf(canvas, BOX)).width,
    )
    expect(connect(canvas, { source: 'llmAgentflow_1', target: 'directReplyAgentflow_0' }).ok).toBe(true)
    expect(connect(canvas, { source: LLM, target: 'llmAgentflow_1' })).toMatchObject({ ok: false })
  })

  it('is duplicated and deleted with what lies inside', () => {
    const canvas = open()
    moveToContainer(canvas, LLM, BOX)
    select(canvas, { nodes: [BOX] })
    duplicateSelection(canvas)
    expect(childrenOf(canvas.state.flow, 'iterationAgentflow_1')).toHaveLength(1)
    removeSelection(canvas)
    expect(canvas.state.flow.nodes.map((node) => node.id)).toEqual([LLM, BOX, 'startAgentflow_0'])
  })

  it('takes nodes by the keyboard to free places below each other, and gives them back', () => {
    const canvas = createCanvas(flowOf(llm, llm, iteration), definitions, agentflowKind)
    for (const id of [LLM, 'llmAgentflow_1']) expect(moveToContainer(canvas, id, BOX).ok).toBe(true)
    const [first, second] = childrenOf(canvas.state.flow, BOX)
    expect(second?.position.y).toBeGreaterThan((first?.position.y ?? 0) + nodeSize(first as never).height)
    moveToContainer(canvas, LLM, undefined)
    expect(nodeOf(canvas, LLM).position.x).toBeGreaterThan(600 + nodeSize(nodeOf(canvas, BOX)).width)
  })

  it('holds its children when keys move them', () => {
    const canvas = open()
    moveToContainer(canvas, LLM, BOX)
    moveNodes(canvas, new Map([[LLM, { x: -500, y: 900 }]]))
    const { position } = nodeOf(canvas, LLM)
    expect(position).toEqual({ x: PADDING.left, y: 250 - PADDING.bottom - nodeSize(nodeOf(canvas, LLM)).height })
  })

  it('is never made smaller than its children', () => {
    const canvas = open()
    moveToContainer(canvas, LLM, BOX)
    const box = { x: 300, y: 0, width: 300, height: 250 }
    expect(canResize(canvas.state.flow, BOX, { ...box, width: 180 })).toBe(false)
    expect(canResize(canvas.state.flow, BOX, { ...box, x: 340, width: 260 })).toBe(false)
    expect(canResize(canvas.state.flow, BOX, { ...box, x: 200, width: 400 })).toBe(true)
  })

  it('pulled at the left keeps its children where they are, as one change', () => {
    const canvas = open()
    moveToContainer(canvas, LLM, BOX)
    const past = canvas.state.history.past.length
    for (const by of [10, 20]) {
      followNodeChanges(canvas, [
        { type: 'position', id: BOX, position: { x: 300 - by, y: 0 } },
        { type: 'position', id: LLM, position: { x: PADDING.left + by, y: PADDING.top } },
        { type: 'dimensions', id: BOX, dimensions: { width: 300 + by, height: 250 }, resizing: true },
      ])
    }
    expect(nodeOf(canvas, LLM).position.x).toBe(PADDING.left + 20)
    expect(nodeOf(canvas, BOX)).toMatchObject({ position: { x: 280 }, width: 320 })
    expect(canvas.state.history.past).toHaveLength(past + 1)
  })

  it('is laid out inside and takes the size that its children need', async () => {
    const canvas = createCanvas(flowOf(llm, llm, llm, iteration), definitions, agentflowKind)
    const ids = [LLM, 'llmAgentflow_1', 'llmAgentflow_2']
    for (const id of ids) moveToContainer(canvas, id, BOX)
    connect(canvas, { source: LLM, target: 'llmAgentflow_1' })
    connect(canvas, { source: 'llmAgentflow_1', target: 'llmAgentflow_2' })
    await layOut(canvas)
    const children = childrenOf(canvas.state.flow, BOX)
    expect(children.map((node) => node.position.y)).toEqual([PADDING.top, PADDING.top, PADDING.top])
    const last = children[2] as (typeof children)[0]
    expect(nodeSize(nodeOf(canvas, BOX)).width).toBe(last.position.x + nodeSize(last).width + PADDING.right)
  })

  it('lets xyflow drag its children beyond its border', () => {
    const canvas = open()
    moveToContainer(canvas, LLM, BOX)
    expect(viewNodes(canvas.state.flow, { nodes: [], edges: [] }, agentflowKind).at(-1)).not.toHaveProperty('extent')
  })
})
