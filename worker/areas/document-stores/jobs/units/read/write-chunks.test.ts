import { expect, it } from 'vitest'
import { type ChunkWrites, splitWrites } from './write-chunks.ts'

const MB = 1_000_000
const NOTHING: ChunkWrites = { inserted: [], replaced: [], moved: [], proposed: [], removed: [] }
const chunk = (id: number, chars: number) => ({
  ...{ id: `${id}`, sourceId: 'source', chunkNo: id, text: 'x'.repeat(chars) },
  ...{ headings: '', metadata: '{}', hash: `${id}`, tokens: 1 },
})
const inserted = Array.from({ length: 10 }, (_, at) => chunk(at, MB))
const old = { id: 'old', chunkNo: 1, originHash: '', hash: '', chars: 1, metadata: '{}', isEdited: false }

it('the chunks of a large document are written in several batches, each once and in their order', () => {
  const parts = splitWrites({ ...NOTHING, inserted })
  expect(parts.map((part) => part.inserted.length)).toEqual([4, 4, 2])
  expect(parts.flatMap((part) => part.inserted)).toEqual(inserted)
})

it('a small document takes one batch, and nothing takes one as well', () => {
  expect(splitWrites({ ...NOTHING, inserted: inserted.slice(0, 3) })).toHaveLength(1)
  expect(splitWrites(NOTHING)).toEqual([NOTHING])
})

it('what leaves, moves or changes is written in several batches when it is much', () => {
  const list = (count: number) => Array.from({ length: count }, (_, at) => ({ ...old, id: `${at}` }))
  const writes = {
    ...{ inserted: inserted.slice(0, 1), removed: list(500) },
    moved: list(600),
    proposed: list(1),
    replaced: Array.from({ length: 40 }, (_, at) => ({ ...chunk(at, 1000), old })),
  } as unknown as ChunkWrites
  const parts = splitWrites(writes)
  expect(parts.map(({ removed, moved, proposed }) => [removed.length, moved.length, proposed.length])).toEqual([
    [200, 500, 1],
    [200, 100, 0],
    [100, 0, 0],
  ])
  expect(parts.map(({ inserted, replaced }) => [inserted.length, replaced.length])).toEqual([
    [1, 16],
    [0, 16],
    [0, 8],
  ])
  const whole = (name: keyof ChunkWrites) => parts.flatMap((part) => part[name] as unknown[])
  for (const name of ['removed', 'moved', 'proposed', 'replaced'] as const) expect(whole(name)).toEqual(writes[name])
})

it('however much it is, no document takes more than twenty batches', () => {
  const replaced = Array.from({ length: 1000 }, (_, at) => ({ ...chunk(at, 1000), old })) as never
  expect(splitWrites({ ...NOTHING, replaced })).toHaveLength(20)
})
