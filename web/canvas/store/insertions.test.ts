import { describe, expect, it } from 'vitest'
import type { Point } from '../geometry/boxes.ts'
import { type HandleRef, nodeHandles } from '../geometry/handles.ts'
import { nodeSize } from '../geometry/node-size.ts'
import { GAP } from '../geometry/placement.ts'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import { condition, definitions, flowOf, iteration, llm, note, reply, start } from '../kinds/agentflow/testing/flows.ts'
import { connect } from './commands.ts'
import { addNodeAt, planInsertion, planNode, spotWithoutPlace } from './insertions.ts'
import { type Canvas, createCanvas, select, undo } from './store.ts'

const open = (...parts: typeof definitions) => createCanvas(flowOf(...parts), definitions, agentflowKind)
const nodeOf = (canvas: Canvas, id: string) => {
  const found = canvas.state.flow.nodes.find((node) => node.id === id)
  if (!found) throw new Error(`No node ${id}`)
  return found
}
const joins = ({ state }: Canvas) => state.flow.edges.map(({ source, target }) => `${source} > ${target}`)
const outputOf = (nodeId: string, index?: number): HandleRef => ({
  nodeId,
  handleId: `${nodeId}-output-${index ?? nodeId.replace(/_\d+$/, '')}`,
  type: 'source',
})
/** The height of a node's input or output on the canvas. */
function heightOf(canvas: Canvas, id: string, type: 'source' | 'target', handle?: string | null): number {
  const node = nodeOf(canvas, id)
  const handles = nodeHandles(node, agentflowKind).filter((each) => each.type === type)
  return node.position.y + ((handles.find((each) => each.id === handle) ?? handles[0])?.y ?? Number.NaN)
}

const START = `${start.name}_0`
const LLM = `${llm.name}_0`
const CONDITION = `${condition.name}_0`
const REPLY = `${reply.name}_0`
const ITERATION = `${iteration.name}_0`

describe('a node chosen without a place', () => {
  const MIDDLE = { x: 640, y: 360 }
  const choose = (canvas: Canvas, definition: typeof llm) =>
    addNodeAt(canvas, definition, spotWithoutPlace(canvas, definition, MIDDLE))

  it('follows the selected node on one line, and the one after it follows that', () => {
    const canvas = open(start)
    select(canvas, { nodes: [START] })
    choose(canvas, llm)
    choose(canvas, reply)
    expect(joins(canvas)).toEqual([`${START} > ${LLM}`, `${LLM} > ${REPLY}`])
    expect(heightOf(canvas, REPLY, 'target')).toBeCloseTo(heightOf(canvas, START, 'source'), 1)
    undo(canvas)
    expect(joins(canvas)).toEqual([`${START} > ${LLM}`])
  })

  it('follows the last node when none is selected, and when the selected one has no free output', () => {
    const canvas = open(start, llm)
    choose(canvas, condition)
    expect(joins(canvas)).toEqual([`${LLM} > ${CONDITION}`])
    select(canvas, { nodes: [LLM] })
    choose(canvas, reply)
    expect(canvas.state.flow.edges.at(-1)).toMatchObject({ source: CONDITION, sourceHandle: `${CONDITION}-output-0` })
  })

  it('takes the first free output', () => {
    const canvas = open(condition)
    for (let count = 0; count < 2; count++) {
      select(canvas, { nodes: [CONDITION] })
      choose(canvas, llm)
    }
    expect(canvas.state.flow.edges.map(({ sourceHandle }) => sourceHandle)).toEqual([
      `${CONDITION}-output-0`,
      `${CONDITION}-output-1`,
    ])
  })

  it('stands in the middle of the view when nothing fits', () => {
    const canvas = open(start, llm, reply)
    connect(canvas, { source: START, target: LLM })
    choose(canvas, llm)
    expect(joins(canvas)).toHaveLength(1)
    const added = nodeOf(canvas, `${llm.name}_1`)
    const { width, height } = nodeSize(added)
    expect(added.position).toEqual({ x: Math.round(640 - width / 2), y: Math.round(360 - height / 2) })
    choose(canvas, note)
    expect(joins(canvas)).toHaveLength(1)
    expect(choose(canvas, start)).toMatchObject({ ok: false, reason: 'Only one Start node is allowed.' })
  })
})

describe('a node added at a handle', () => {
  it('is connected and stands beside it on one line, in one change', () => {
    const canvas = open(start)
    const before = canvas.state.flow
    expect(addNodeAt(canvas, llm, { from: outputOf(START), at: null }).ok).toBe(true)
    expect(joins(canvas)).toEqual([`${START} > ${LLM}`])
    const origin = nodeOf(canvas, START)
    expect(nodeOf(canvas, LLM).position.x).toBe(origin.position.x + nodeSize(origin).width + GAP)
    expect(heightOf(canvas, LLM, 'target')).toBeCloseTo(heightOf(canvas, START, 'source'), 1)
    expect(canvas.state.selection.nodes).toEqual([LLM])
    expect(canvas.state.history.past.map(({ name }) => name)).toEqual(['add LLM 0 after Start'])
    undo(canvas)
    expect(canvas.state.flow).toBe(before)
  })

  it('goes below what stands there already', () => {
    const canvas = open(start)
    for (let count = 0; count < 3; count++) addNodeAt(canvas, reply, { from: outputOf(START), at: null })
    const [first = 0, second = 0, third = 0] = canvas.state.flow.nodes.slice(1).map(({ position }) => position.y)
    expect(second - first).toBeGreaterThan(nodeSize(nodeOf(canvas, REPLY)).height)
    expect(third - second).toBeGreaterThan(nodeSize(nodeOf(canvas, REPLY)).height)
  })

  it('stands where the line was dropped, on one line when it was nearly straight', () => {
    const canvas = open(start)
    const line = heightOf(canvas, START, 'source')
    addNodeAt(canvas, llm, { from: outputOf(START), at: { x: 500, y: line + 12 } })
    expect(nodeOf(canvas, LLM).position.x).toBe(500)
    expect(heightOf(canvas, LLM, 'target')).toBeCloseTo(line, 1)
    addNodeAt(canvas, reply, { from: outputOf(START), at: { x: 500, y: line + 200 } })
    expect(heightOf(canvas, REPLY, 'target')).toBeCloseTo(line + 200, 1)
  })

  it('takes the output that the line began at', () => {
    const canvas = open(start, condition)
    addNodeAt(canvas, reply, { from: outputOf(CONDITION, 1), at: null })
    expect(canvas.state.flow.edges).toMatchObject([{ sourceHandle: `${CONDITION}-output-1`, target: REPLY }])
    expect(heightOf(canvas, REPLY, 'target')).toBeCloseTo(
      heightOf(canvas, CONDITION, 'source', `${CONDITION}-output-1`),
      1,
    )
  })

  it('comes before the node whose input the line began at', () => {
    const canvas = open(reply)
    addNodeAt(canvas, llm, { from: { nodeId: REPLY, handleId: REPLY, type: 'target' }, at: null })
    expect(joins(canvas)).toEqual([`${LLM} > ${REPLY}`])
    const { position } = nodeOf(canvas, LLM)
    expect(position.x + nodeSize(nodeOf(canvas, LLM)).width + GAP).toBe(nodeOf(canvas, REPLY).position.x)
  })

  it('is inside the container of the other node, which grows', () => {
    const canvas = open(start, iteration)
    const corner = nodeOf(canvas, ITERATION).position
    addNodeAt(canvas, llm, { at: { x: corner.x + 150, y: corner.y + 125 } })
    addNodeAt(canvas, reply, { from: outputOf(LLM), at: null })
    expect(nodeOf(canvas, REPLY).parentNode).toBe(ITERATION)
    const { position } = nodeOf(canvas, REPLY)
    expect(nodeSize(nodeOf(canvas, ITERATION)).width).toBeGreaterThan(
      position.x + nodeSize(nodeOf(canvas, REPLY)).width,
    )
  })

  it.each<[string, (typeof definitions)[number], Point | null, RegExp]>([
    ['a second Start', start, null, /Only one Start/],
    ['a note', note, null, /Sticky notes cannot be connected/],
    ['a node across the border of a container', llm, { x: 450, y: 125 }, /border of an iteration/],
  ])('is refused with the reason for %s', (_, definition, at, reason) => {
    const canvas = open(start, iteration)
    const plan = planNode(canvas, definition, { from: outputOf(START), at })
    expect(plan).toEqual({ ok: false, reason: expect.stringMatching(reason) })
    expect(canvas.state.history.past).toEqual([])
  })
})

describe('a node inserted into a connection', () => {
  const edgeOf = ({ state }: Canvas) => state.flow.edges[0]?.id ?? ''
  const drawn = () => {
    const canvas = open(start, reply)
    connect(canvas, { source: START, target: REPLY })
    return { canvas, edge: edgeOf(canvas) }
  }

  it('takes over both ends in one change, and what follows makes room', () => {
    const { canvas, edge } = drawn()
    const before = canvas.state.flow
    addNodeAt(canvas, llm, { edge })
    expect(joins(canvas)).toEqual([`${START} > ${LLM}`, `${LLM} > ${REPLY}`])
    const left = (id: string) => nodeOf(canvas, id).position.x
    const right = (id: string) => left(id) + nodeSize(nodeOf(canvas, id)).width
    expect(left(LLM) - right(START)).toBe(GAP)
    expect(left(REPLY) - right(LLM)).toBe(GAP)
    expect(canvas.state.history.past.at(-1)?.name).toBe('insert LLM 0 between Start and Direct Reply 0')
    undo(canvas)
    expect(canvas.state.flow).toBe(before)
  })

  it('leaves the others where they are when there is room', () => {
    const { canvas } = drawn()
    const nodes = canvas.state.flow.nodes.map((node) =>
      node.id === REPLY ? { ...node, position: { x: 2000, y: 0 } } : node,
    )
    const wide = createCanvas({ ...canvas.state.flow, nodes }, definitions, agentflowKind)
    addNodeAt(wide, llm, { edge: edgeOf(wide) })
    expect(nodeOf(wide, REPLY).position.x).toBe(2000)
  })

  it('keeps the output that the connection left', () => {
    const canvas = open(condition, reply)
    connect(canvas, { source: CONDITION, sourceHandle: `${CONDITION}-output-1`, target: REPLY })
    addNodeAt(canvas, llm, { edge: edgeOf(canvas) })
    expect(canvas.state.flow.edges).toMatchObject([
      { source: CONDITION, sourceHandle: `${CONDITION}-output-1`, target: LLM },
      { source: LLM, target: REPLY },
    ])
  })

  it('may stand on the canvas already', () => {
    const canvas = open(start, reply, llm)
    connect(canvas, { source: START, target: REPLY })
    const plan = planInsertion(canvas, LLM, edgeOf(canvas))
    expect(plan.ok && plan.flow.edges.map(({ source, target }) => `${source} > ${target}`)).toEqual([
      `${START} > ${LLM}`,
      `${LLM} > ${REPLY}`,
    ])
  })

  it('is refused when it has no output', () => {
    const { canvas, edge } = drawn()
    expect(planNode(canvas, reply, { edge })).toEqual({ ok: false, reason: 'Direct Reply 1 has no output.' })
  })
})
