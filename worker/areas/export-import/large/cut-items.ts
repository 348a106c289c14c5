/** Cuts the planned items of an import into pieces, each of which one batch writes. Pure. */
import type { StoredSource } from '../../chatflows/index.ts'
import type { SourceValues } from '../document-stores/plan-stores.ts'
import type { PlannedItems } from '../planned.ts'

export interface ItemPiece extends PlannedItems {
  /** Sources of document stores of earlier pieces. */
  sources: SourceValues[]
  /** The files that the flows of the piece name, by flow. */
  sourceFiles: Map<string, readonly StoredSource[]>
}

interface Bounds {
  /** Rows of a piece, unless one item alone has more. */
  rows: number
  /** Characters of their JSON, likewise. */
  chars: number
}

/** A flow of 30,000 characters takes about 5 ms, and a tool 0.6 ms. */
const BOUNDS: Bounds = { rows: 100, chars: 500_000 }

type Unit = Partial<Omit<ItemPiece, 'sourceFiles'>>

/**
 * Returns the pieces in the order in which they are to be written: what flows and assistants refer to comes before them.
 * @param files those that the flows name, by flow
 */
export function cutItems(
  items: PlannedItems,
  files: ReadonlyMap<string, readonly StoredSource[]>,
  bounds = BOUNDS,
): ItemPiece[] {
  const pieces: ItemPiece[] = []
  let room = { rows: 0, chars: 0 }
  for (const unit of unitsOf(items, bounds.rows)) {
    const rows = Object.values(unit).reduce((sum, list) => sum + list.length, 0)
    const chars = JSON.stringify(unit).length
    if (rows > room.rows || chars > room.chars) {
      pieces.push(emptyPiece())
      room = bounds
    }
    room = { rows: room.rows - rows, chars: room.chars - chars }
    const piece = pieces.at(-1) as ItemPiece
    for (const [list, added] of Object.entries(unit)) (piece[list as keyof Unit] as object[]).push(...added)
    for (const { id } of unit.flows ?? []) piece.sourceFiles.set(id, files.get(id) ?? [])
  }
  return pieces
}

const emptyPiece = (): ItemPiece => ({
  ...{ variables: [], tools: [], templates: [], stores: [], sources: [], flows: [], assistants: [] },
  sourceFiles: new Map(),
})

/** Yields what only one batch may write: a store with its loaders, and a custom assistant with the flow that it runs as. */
function* unitsOf(items: PlannedItems, most: number): Generator<Unit> {
  for (const row of items.variables) yield { variables: [row] }
  for (const row of items.tools) yield { tools: [row] }
  for (const row of items.templates) yield { templates: [row] }
  for (const { sources, ...store } of items.stores) {
    yield { stores: [{ ...store, sources: [] }] }
    for (let from = 0; from < sources.length; from += most) yield { sources: sources.slice(from, from + most) }
  }
  const owners = new Map(items.assistants.flatMap((row) => (row.type === 'CUSTOM' ? [[row.id, row]] : [])))
  for (const flow of items.flows) {
    const owner = owners.get(flow.id)
    // Their bytes are stored.
    yield { flows: [{ ...flow, sources: [] }], assistants: owner ? [owner] : [] }
  }
  const drawn = new Set(items.flows.map(({ id }) => id))
  for (const row of items.assistants) if (row.type !== 'CUSTOM' || !drawn.has(row.id)) yield { assistants: [row] }
}
