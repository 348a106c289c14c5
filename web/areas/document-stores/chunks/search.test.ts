import { expect, it } from 'vitest'
import { type ChunkSearch, changeChunkSearch, isFiltered, readChunkSearch } from './search.ts'

it.each<[Record<string, unknown>, ChunkSearch]>([
  [{}, {}],
  [
    { page: '3', search: 'holiday' },
    { page: 3, search: 'holiday' },
  ],
  [{ page: 1 }, {}],
  [{ page: -2 }, {}],
  [{ page: 'x' }, {}],
  [{ search: 2024 }, { search: '2024' }],
  [
    { conflicts: true, sourceId: 's', chunk: 'c' },
    { conflicts: true, sourceId: 's', chunk: 'c' },
  ],
  [{ conflicts: 'no', sourceId: 7, other: 1 }, {}],
])('reads %j of an address as %j', (params, search) => {
  expect(readChunkSearch(params)).toEqual(search)
})

it('a new filter starts at the first page and closes the open chunk', () => {
  expect(changeChunkSearch({ page: 4, chunk: 'c', search: 'a' }, { search: 'b' })).toEqual({ search: 'b' })
})

it('another page keeps the filters', () => {
  expect(changeChunkSearch({ page: 4, conflicts: true }, { page: 5 })).toEqual({ page: 5, conflicts: true })
})

it('opening and closing a chunk keeps the page', () => {
  const opened = changeChunkSearch({ page: 4, search: 'a' }, { chunk: 'c' })
  expect(opened).toEqual({ page: 4, search: 'a', chunk: 'c' })
  expect(changeChunkSearch(opened, { chunk: undefined })).toEqual({ page: 4, search: 'a' })
})

it('pages and open chunks do not count as filters', () => {
  expect(isFiltered({ page: 2, chunk: 'c' })).toBe(false)
  expect([{ search: 'a' }, { sourceId: 's' }, { conflicts: true as const }].every(isFiltered)).toBe(true)
})
