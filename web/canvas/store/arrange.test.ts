import { describe, expect, it } from 'vitest'
import { nodeSize } from '../geometry/node-size.ts'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import { definitions, flowOf, llm, reply, start } from '../kinds/agentflow/testing/flows.ts'
import { alignSelection, distributeSelection } from './arrange.ts'
import { toggleDisabled } from './commands.ts'
import { createCanvas, select, undo } from './store.ts'

/** Three nodes at these places, all selected. */
function open(...places: [number, number][]) {
  const flow = flowOf(start, llm, reply)
  const nodes = flow.nodes.map((node, index) => {
    const [x = 0, y = 0] = places[index] ?? []
    return { ...node, position: { x, y } }
  })
  const canvas = createCanvas({ ...flow, nodes }, definitions, agentflowKind)
  select(canvas, { nodes: nodes.map(({ id }) => id) })
  return canvas
}
const boxes = ({ state }: ReturnType<typeof open>) =>
  state.flow.nodes.map((node) => ({ ...node.position, ...nodeSize(node) }))

describe('several selected nodes', () => {
  it('are aligned at their left, and on one line', () => {
    const canvas = open([40, 0], [10, 200], [90, 400])
    alignSelection(canvas, 'left')
    expect(boxes(canvas).map(({ x }) => x)).toEqual([10, 10, 10])
    alignSelection(canvas, 'middle')
    expect(new Set(boxes(canvas).map(({ y, height }) => y + height / 2)).size).toBe(1)
  })

  it('get even gaps between the outermost two, whatever their order in the document', () => {
    const canvas = open([0, 0], [1000, 50], [230, 90])
    distributeSelection(canvas, 'x')
    const [first, last, middle] = boxes(canvas)
    if (!first || !last || !middle) throw new Error('The flow has three nodes')
    expect([first.x, last.x]).toEqual([0, 1000])
    const gaps = [middle.x - (first.x + first.width), last.x - (middle.x + middle.width)]
    expect(Math.abs((gaps[0] ?? 0) - (gaps[1] ?? 0))).toBeLessThanOrEqual(1)
    expect(boxes(canvas).map(({ y }) => y)).toEqual([0, 50, 90])
  })

  it('are disabled together, and enabled again only when all are disabled', () => {
    const canvas = open()
    const [origin, model, answer] = canvas.state.flow.nodes.map(({ id }) => id) as [string, string, string]
    const disabled = () => canvas.state.flow.nodes.flatMap(({ id, data }) => (data.disabled ? [id] : []))
    toggleDisabled(canvas, [model])
    toggleDisabled(canvas, [origin, model, answer])
    expect(disabled()).toEqual([model, answer])
    toggleDisabled(canvas, [model, answer])
    expect(disabled()).toEqual([])
    undo(canvas)
    expect(disabled()).toEqual([model, answer])
    expect(toggleDisabled(canvas, [origin])).toEqual({ ok: false, reason: expect.stringContaining('Start') })
  })
})
