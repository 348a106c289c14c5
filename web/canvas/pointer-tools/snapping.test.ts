import { describe, expect, it } from 'vitest'
import { beginDrag, dragOver, dropCarried, dropWithSnapping, endDrag } from '../interactions/drag.ts'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import { definitions, flowOf, iteration, llm, reply, start } from '../kinds/agentflow/testing/flows.ts'
import { connect } from '../store/commands.ts'
import { type Canvas, createCanvas, undo } from '../store/store.ts'
import { followNodeChanges } from '../surface/changes.ts'
import { createSnapping } from './snapping.ts'

const [START, LLM, REPLY] = [start, llm, reply].map(({ name }) => `${name}_0`) as [string, string, string]

function open(...parts: typeof definitions) {
  const canvas = createCanvas(flowOf(...parts), definitions, agentflowKind)
  canvas.snapping = createSnapping()
  return canvas
}
const placeOf = ({ state }: Canvas, id: string) => state.flow.nodes.find((node) => node.id === id)?.position
const joins = ({ state }: Canvas) => state.flow.edges.map(({ source, target }) => `${source} > ${target}`)

function drag(canvas: Canvas, id: string, position: { x: number; y: number }): void {
  followNodeChanges(canvas, [{ type: 'position', id, position, dragging: true }])
}

describe('a dragged node', () => {
  it('is drawn to the line of another one, and the line goes with the drag', () => {
    const canvas = open(start, llm)
    beginDrag(canvas, [LLM], { guides: true })
    drag(canvas, LLM, { x: 400, y: 4 })
    expect(placeOf(canvas, LLM)).toEqual({ x: 400, y: 0 })
    expect(canvas.state.guides).toMatchObject([{ axis: 'y' }])
    endDrag(canvas, { x: 2000, y: 2000 })
    expect(canvas.state.guides).toEqual([])
  })

  it('goes where the pointer goes on a grid, after a drag with lines too', () => {
    const canvas = open(start, llm)
    beginDrag(canvas, [LLM], { guides: true })
    endDrag(canvas, { x: 2000, y: 2000 })
    beginDrag(canvas, [LLM], { guides: false })
    drag(canvas, LLM, { x: 400, y: 4 })
    expect(placeOf(canvas, LLM)).toEqual({ x: 400, y: 4 })
    expect(canvas.state.guides).toEqual([])
  })

  it('is drawn to the lines inside its container, which are drawn where the container stands', () => {
    const flow = flowOf(start, iteration, llm, reply)
    const inside = (node: (typeof flow.nodes)[number], x: number) => ({
      ...node,
      parentNode: `${iteration.name}_0`,
      position: { x, y: 60 },
    })
    const nodes = flow.nodes.map((node) =>
      node.id === LLM ? inside(node, 20) : node.id === REPLY ? inside(node, 100) : node,
    )
    const canvas = createCanvas({ ...flow, nodes }, definitions, agentflowKind)
    canvas.snapping = createSnapping()
    beginDrag(canvas, [LLM], { guides: true })
    drag(canvas, LLM, { x: 30, y: 63 })
    expect(placeOf(canvas, LLM)).toEqual({ x: 30, y: 60 })
    expect(canvas.state.guides[0]?.from).toBe(300 + 30)
  })
})

describe('a node dropped on a connection', () => {
  const joined = (...parts: typeof definitions) => {
    const canvas = open(start, reply, ...parts)
    connect(canvas, { source: START, target: REPLY })
    return canvas
  }
  const ON_EDGE = { x: 200, y: 33 }

  it('goes into it when it has no connections, in one change with its drag', () => {
    const canvas = joined(llm)
    const before = canvas.state.flow
    beginDrag(canvas, [LLM], { guides: true })
    drag(canvas, LLM, { x: 120, y: 10 })
    dragOver(canvas, ON_EDGE)
    expect(canvas.state.over?.verdict.ok).toBe(true)
    expect(endDrag(canvas, ON_EDGE).ok).toBe(true)
    expect(joins(canvas)).toEqual([`${START} > ${LLM}`, `${LLM} > ${REPLY}`])
    expect(canvas.state.over).toBe(null)
    undo(canvas)
    expect(canvas.state.flow).toBe(before)
  })

  it('only moves when it has connections of its own', () => {
    const canvas = joined(llm)
    connect(canvas, { source: START, target: LLM })
    beginDrag(canvas, [LLM], { guides: true })
    dragOver(canvas, ON_EDGE)
    endDrag(canvas, ON_EDGE)
    expect(joins(canvas)).toEqual([`${START} > ${REPLY}`, `${START} > ${LLM}`])
  })

  it('comes from the palette too; one that does not fit is put beside it with the reason', () => {
    const canvas = joined()
    canvas.carried = reply
    expect(dropCarried(canvas, reply, ON_EDGE)).toEqual({ ok: false, reason: 'Direct Reply 1 has no output.' })
    expect(canvas.state.flow.nodes).toHaveLength(3)
    expect(joins(canvas)).toEqual([`${START} > ${REPLY}`])
    canvas.carried = llm
    expect(dropCarried(canvas, llm, ON_EDGE).ok).toBe(true)
    expect(joins(canvas)).toEqual([`${START} > ${LLM}`, `${LLM} > ${REPLY}`])
  })

  it('goes into it when what finds the connection arrives after the drop', async () => {
    const canvas = joined()
    canvas.snapping = null
    const load = async () => createSnapping()
    const verdict = await dropWithSnapping(canvas, () => dropCarried(canvas, llm, ON_EDGE), load)
    expect(verdict.ok).toBe(true)
    expect(joins(canvas)).toEqual([`${START} > ${LLM}`, `${LLM} > ${REPLY}`])
  })
})
