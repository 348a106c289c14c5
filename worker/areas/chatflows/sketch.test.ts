import { expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { sketchFlow } from './sketch.ts'

/** Makes a document of unchecked values, as an imported file may hold them. */
const sketch = (nodes: unknown[][], edges: unknown[][] = []) =>
  sketchFlow({
    nodes: nodes.map(([id, name, x, y, width, height, parentNode]) => ({
      ...{ id, data: { name }, position: { x, y }, width, height, parentNode },
    })),
    edges: edges.map(([source, target]) => ({ source, target })),
  } as unknown as FlowDocument)

it('moves nodes to the origin and puts those of a container where it stands', () => {
  const { nodes, width, height } = sketch([
    ['a', 'start', -100, 50.4, null, null, null],
    ['b', 'iteration', 200, 0, 300, 250, null],
    ['c', 'llm', 30, 80, 120, 60, 'b'],
  ])
  expect(nodes.map(({ name, x, y }) => [name, x, y])).toEqual([
    ['start', 0, 50],
    ['iteration', 300, 0],
    ['llm', 330, 80],
  ])
  expect([width, height]).toEqual([600, 250])
})

it('keeps edges between known nodes as indexes', () => {
  const nodes = ['a', 'b'].map((id) => [id, 'x', 0, 0, null, null, null])
  expect(
    sketch(nodes, [
      ['b', 'a'],
      ['a', 'gone'],
    ]).edges,
  ).toEqual([{ from: 1, to: 0 }])
})

it('bounds positions that a file sets to anything', () => {
  const { nodes, width } = sketch([
    ['a', 'x', 'left', null, 'wide', -5, 7],
    ['b', null, 1e300, -1e300, 1e300, 0, 'b'],
  ])
  expect(nodes[0]).toMatchObject({ width: 240, height: 1 })
  expect(width).toBeLessThan(1_000_000)
})

it('the sketch of an empty flow is empty', () => {
  expect(sketch([])).toEqual({ width: 0, height: 0, nodes: [], edges: [] })
})

it('a sketch leaves out notes, which may lie far from the steps', () => {
  const { nodes, edges } = sketch(
    [
      ['note', 'stickyNoteAgentflow', -900, -900, null, null, null],
      ['a', 'start', 0, 0, null, null, null],
      ['b', 'llm', 300, 0, null, null, null],
    ],
    [['a', 'b']],
  )
  expect(nodes.map(({ name, x }) => [name, x])).toEqual([
    ['start', 0],
    ['llm', 300],
  ])
  expect(edges).toEqual([{ from: 0, to: 1 }])
})
