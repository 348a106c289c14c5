/** A flow's outline for a small picture. */
import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import type { Sketch } from '#contract/home/home.ts'

const MAX_NODES = 60
const MAX_EDGES = 120
const MAX_NAME = 100
const NODE = { width: 240, height: 90 }
/** Bounds positions, which imported files may set to anything. */
const FURTHEST = 100_000

/** Selects the sketch of a summary; null for a document that is not summarized yet. */
export const selectSketch = (summary: SQLiteColumn) =>
  sql`${summary} -> '$.sketch'`.mapWith((text): Sketch | null => JSON.parse(text))

/** Stands in for the sketch of a document that is not summarized yet. */
export const NO_SKETCH: Sketch = { width: 0, height: 0, nodes: [], edges: [] }

/** Takes the first nodes and edges, as many as a small picture shows. */
export function sketchFlow({ nodes, edges }: FlowDocument): Sketch {
  const parts = nodes
    .slice(0, MAX_NODES)
    .map(({ id, data, position, width, height, parentNode }) => [
      ...[id, data.name, position.x, position.y],
      ...[width, height, parentNode],
    ])
  return drawSketch(
    parts,
    edges.slice(0, MAX_EDGES).map(({ source, target }) => [source, target]),
  )
}

interface Box {
  id: string
  name: string
  x: number
  y: number
  width: number
  height: number
  parent: unknown
}

function drawSketch(nodes: unknown[][], edges: unknown[][]): Sketch {
  const boxes = absolute(nodes.map(parseBox)).filter(({ name }) => !isStickyNote({ name }))
  const origin = { x: minOf(boxes.map(({ x }) => x)), y: minOf(boxes.map(({ y }) => y)) }
  const placed = boxes.map(({ name, x, y, width, height }) => ({
    name,
    x: Math.round(x - origin.x),
    y: Math.round(y - origin.y),
    width,
    height,
  }))
  const indexOf = new Map(boxes.map(({ id }, index) => [id, index]))
  return {
    width: Math.max(0, ...placed.map(({ x, width }) => x + width)),
    height: Math.max(0, ...placed.map(({ y, height }) => y + height)),
    nodes: placed,
    edges: edges.flatMap(([source, target]) => {
      const [from, to] = [indexOf.get(String(source)), indexOf.get(String(target))]
      return from === undefined || to === undefined ? [] : [{ from, to }]
    }),
  }
}

const minOf = (numbers: number[]) => (numbers.length === 0 ? 0 : Math.min(...numbers))

function parseBox([id, name, x, y, width, height, parent]: unknown[]): Box {
  return {
    id: String(id),
    name: String(name ?? '').slice(0, MAX_NAME),
    x: within(x, 0),
    y: within(y, 0),
    width: Math.max(1, Math.round(within(width, NODE.width))),
    height: Math.max(1, Math.round(within(height, NODE.height))),
    parent,
  }
}

const within = (value: unknown, otherwise: number) =>
  typeof value === 'number' ? Math.min(Math.max(value, -FURTHEST), FURTHEST) : otherwise

/** Nodes in a container stand where it stands. Containers hold no containers. */
function absolute(boxes: Box[]): Box[] {
  const byId = new Map(boxes.map((box) => [box.id, box]))
  return boxes.map((box) => {
    const parent = typeof box.parent === 'string' ? byId.get(box.parent) : undefined
    return parent ? { ...box, x: box.x + parent.x, y: box.y + parent.y } : box
  })
}
