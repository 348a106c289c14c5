// @defends file-import-keeps
import { expect, it } from 'vitest'
import { FILE_PART_BYTES, MAX_TRANSFER_ROWS } from '#contract/export-import/export-import.ts'
import type { FileStorage } from '../../../ports/types.ts'
import type { ImportRow } from './import-rows.ts'
import { itemsOfFile, NOTHING_SCANNED, type ScannedPiece, scanPiece } from './read-file.ts'
import type { FilePosition } from './read-lists.ts'

/** Reads a file whose parts are these texts; undefined is a part that was never sent. */
function read(...texts: (string | undefined)[]) {
  const parts = texts.flatMap((text) => (text === undefined ? [undefined] : inParts(new TextEncoder().encode(text))))
  const row = { workspaceId: 'w', id: 'i', parts: parts.length } as ImportRow
  const fileStorage = {
    async readRange(key, { offset, length }) {
      const bytes = parts[Number(key.split('-').at(-1))]
      return bytes && { bytes: bytes.slice(offset, offset + length), size: bytes.length }
    },
  } as Pick<FileStorage, 'readRange'> as FileStorage
  return readItems({ fileStorage, row })
}

const inParts = (bytes: Uint8Array) =>
  Array.from({ length: Math.ceil(bytes.length / FILE_PART_BYTES) }, (_, part) =>
    bytes.slice(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES),
  )

/** Reads the file piece by piece, each from where the one before it ended. */
async function readItems(file: Parameters<typeof scanPiece>[0]) {
  const takenIds = async () => ({ own: [], taken: [], owners: [] })
  const pieces: ScannedPiece[] = []
  let scanned = NOTHING_SCANNED
  let next: FilePosition | undefined
  do {
    const result = await scanPiece(file, { from: next, scanned, takenIds })
    pieces.push(result.piece)
    ;({ scanned, next } = result)
  } while (next)
  return { ...itemsOfFile(pieces, { counts: scanned.counts, choices: {} }), counts: scanned.counts, pieces }
}

const file = (lists: Record<string, unknown[]>) => JSON.stringify(lists)
const tool = (chars: number) => ({ name: 'Loom', func: 'x'.repeat(chars) })

it('reads the items of a file that came in parts, and counts the rows of its lists', async () => {
  const text = file({ Tool: [tool(10)], ChatMessage: [{ id: 'a' }, { id: 'b' }], Loom: [1] })
  const { bundle, counts } = await read(text.slice(0, 20), text.slice(20))
  expect(bundle.Tool).toMatchObject([{ name: 'Loom' }])
  expect(Object.fromEntries(counts)).toEqual({ Tool: 1, ChatMessage: 2, Loom: 1 })
})

it('reads a part of 7 MiB piece by piece', async () => {
  const text = file({ ChatMessage: Array.from({ length: 7 }, () => ({ content: 'ü'.repeat(512 * 1024) })) })
  const sizes: number[] = []
  const { counts, pieces } = await readItems({
    row: { workspaceId: 'w', id: 'i', parts: 1 } as ImportRow,
    fileStorage: {
      async readRange(_, { offset, length }) {
        const bytes = new TextEncoder().encode(text)
        sizes.push(length)
        return { bytes: bytes.slice(offset, offset + length), size: bytes.length }
      },
    } as Pick<FileStorage, 'readRange'> as FileStorage,
  })
  expect(counts.get('ChatMessage')).toBe(7)
  expect([pieces.length, sizes.length > 8]).toEqual([8, true])
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024)
})

it('refuses a file of which a part is missing', async () => {
  await expect(read('{"Tool": [', undefined)).rejects.toThrow('A part of this file is missing')
})

it('reading a file holds at most 16 MB of items in memory', async () => {
  const million = 1024 * 1024
  await expect(read(file({ Tool: Array.from({ length: 17 }, () => tool(million)) }))).rejects.toThrow('16 MB in all')
  await expect(read(file({ Tool: Array.from({ length: 15 }, () => tool(million)) }))).resolves.toBeDefined()
})

it('passes messages by whose rows are larger together', async () => {
  const message = { id: 'a', content: 'x'.repeat(1024 * 1024) }
  const { counts } = await read(file({ ChatMessage: Array.from({ length: 17 }, () => message) }))
  expect(counts.get('ChatMessage')).toBe(17)
})

it('takes 1,000 lists at most, unknown ones included', async () => {
  const lists = (count: number) => file(Object.fromEntries(Array.from({ length: count }, (_, n) => [`List ${n}`, [1]])))
  await expect(read(lists(1001))).rejects.toThrow('more than 1,000 lists')
  await expect(read(lists(1000))).resolves.toBeDefined()
})

it('takes 100,000 rows of a list at most', async () => {
  const rows = (count: number) => `{"ChatMessage": [${Array(count).fill('{}').join()}]}`
  await expect(read(rows(MAX_TRANSFER_ROWS + 1))).rejects.toThrow('ChatMessage has more than 100,000 rows')
  await expect(read(rows(MAX_TRANSFER_ROWS))).resolves.toBeDefined()
})

it.each(['[1]', '{"Tool": [1]}', '{"ChatMessage": ["a"]}'])('refuses %s, which has no rows', async (text) => {
  await expect(read(text)).rejects.toThrow('Invalid Imported File')
})
