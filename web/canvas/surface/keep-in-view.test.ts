import { expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { nodeSize, type Size } from '../geometry/node-size.ts'
import { flowOf, llm, reply } from '../kinds/agentflow/testing/flows.ts'
import { isInView, viewAfterResize } from './keep-in-view.ts'
import { placeOfCopies } from './viewport.ts'

const before = { width: 1200, height: 800 }
const view = { x: 0, y: 0, zoom: 1 }

const at = (first: [number, number], last: [number, number]): FlowDocument => {
  const { nodes, edges } = flowOf(llm, reply)
  const places = [first, last]
  return {
    edges,
    nodes: nodes.map((node, index) => {
      const [x, y] = places[index] as [number, number]
      return { ...node, position: { x, y } }
    }),
  }
}
const resized = (flow: FlowDocument, after: Size, focus?: string) =>
  viewAfterResize(flow, { view, before, after, focus })

it('a smaller pane leaves a view alone that still shows what was visible', () => {
  expect(resized(at([100, 100], [400, 100]), { width: 800, height: 800 })).toBeNull()
  expect(resized(at([100, 100], [900, 100]), { width: 1600, height: 800 })).toBeNull()
})

it('a smaller pane moves the view when everything still has room', () => {
  const flow = at([500, 100], [900, 100])
  const after = { width: 800, height: 800 }
  const moved = resized(flow, after)
  expect(moved).toMatchObject({ y: 0, zoom: 1 })
  expect(
    isInView(
      flow,
      flow.nodes.map(({ id }) => id),
      { view: moved ?? view, pane: after },
    ),
  ).toBe(true)
})

it('a smaller pane zooms out as far as names stay readable', () => {
  const flow = at([20, 100], [900, 100])
  const after = { width: 800, height: 800 }
  const moved = resized(flow, after)
  expect(moved?.zoom).toBeLessThan(1)
  expect(
    isInView(
      flow,
      flow.nodes.map(({ id }) => id),
      { view: moved ?? view, pane: after },
    ),
  ).toBe(true)
  expect(resized(flow, { width: 300, height: 800 })).toBeNull()
})

it('the selected node stays visible when the others cannot', () => {
  const flow = at([20, 100], [900, 100])
  const after = { width: 300, height: 800 }
  const moved = resized(flow, after, 'directReplyAgentflow_0')
  expect(moved?.zoom).toBe(1)
  expect(isInView(flow, ['directReplyAgentflow_0'], { view: moved ?? view, pane: after })).toBe(true)
})

it('nodes that were not visible move nothing', () => {
  expect(resized(at([5000, 5000], [9000, 5000]), { width: 800, height: 800 })).toBeNull()
})

it('copies are placed wholly within what is visible, and not on one another', () => {
  const flow = at([0, 0], [300, 0])
  const visible = { x: 1000, y: 1000, width: 900, height: 600 }
  const place = placeOfCopies(flow, flow.nodes, visible)
  const width = 300 + nodeSize(flow.nodes[1] as (typeof flow.nodes)[number]).width
  expect(place.x).toBeGreaterThanOrEqual(visible.x)
  expect(place.x + width).toBeLessThanOrEqual(visible.x + visible.width)
  expect(place.y).toBeGreaterThan(visible.y)

  const pasted = at([place.x, place.y], [place.x + 300, place.y])
  const next = placeOfCopies(pasted, flow.nodes, visible)
  expect(next.x).toBeGreaterThan(place.x)
  expect(next.y).toBeGreaterThan(place.y)
})
