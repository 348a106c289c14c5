import { expect, it } from 'vitest'
import { type ChunkWrites, partsOf } from './write-chunks.ts'

const MB = 1_000_000
const NOTHING: ChunkWrites = { inserted: [], replaced: [], moved: [], proposed: [], removed: [] }
const chunk = (id: number, chars: number) => ({
  ...{ id: `${id}`, sourceId: 'source', chunkNo: id, text: 'x'.repeat(chars) },
  ...{ headings: '', metadata: '{}', hash: `${id}`, tokens: 1 },
})
const inserted = Array.from({ length: 10 }, (_, at) => chunk(at, MB))
const old = { id: 'old', chunkNo: 1, originHash: '', hash: '', chars: 1, metadata: '{}', isEdited: false }

it('the chunks of a large document are written in several batches, each once and in their order', () => {
  const parts = partsOf({ ...NOTHING, inserted })
  expect(parts.map((part) => part.inserted.length)).toEqual([5, 5])
  expect(parts.flatMap((part) => part.inserted)).toEqual(inserted)
})

it('a small document takes one batch, and nothing takes one as well', () => {
  expect(partsOf({ ...NOTHING, inserted: inserted.slice(0, 3) })).toHaveLength(1)
  expect(partsOf(NOTHING)).toEqual([NOTHING])
})

it('what leaves, moves or changes is in one batch only', () => {
  const writes = {
    ...{ inserted, removed: [{ ...old, proposedHash: null, proposedContent: null }] },
    moved: [{ id: 'moved', chunkNo: 2, metadata: '{}' }],
    proposed: [{ id: 'proposed', chunkNo: 3, proposedContent: 'New' }],
    replaced: [],
  } as unknown as ChunkWrites
  const parts = partsOf(writes)
  expect(parts.map(({ removed, moved, proposed }) => [removed.length, moved.length, proposed.length])).toEqual([
    [1, 1, 1],
    [0, 0, 0],
  ])
})
