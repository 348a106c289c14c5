import { describe, expect, it } from 'vitest'
import { assetSorts, viewOf } from './list-view.ts'

const rows = [
  { name: 'key 10', updatedDate: '2026-01-03' },
  { name: 'Key 2', updatedDate: '2026-01-01' },
  { name: 'other', updatedDate: '2026-01-02' },
]
const [byChange, byName] = assetSorts<(typeof rows)[number]>((row) => row.name)
const text = (row: { name: string }) => row.name

describe('viewOf', () => {
  it.each([
    ['', byChange, ['key 10', 'other', 'Key 2']],
    ['', byName, ['Key 2', 'key 10', 'other']],
    [' KEY ', byName, ['Key 2', 'key 10']],
    ['nothing', byName, []],
  ])('searched for %j', (query, sort, names) => {
    expect(viewOf(rows, { query, text, sort }).map(text)).toEqual(names)
  })

  it('does not change the given rows', () => {
    const before = structuredClone(rows)
    viewOf(rows, { query: '', text, sort: byName })
    expect(rows).toEqual(before)
  })
})
