import { expect, it } from 'vitest'
import { bundleSchema } from '#contract/export-import/export-import.ts'
import { leftOutList } from './left-out.ts'
import { noteList, unknownLists } from './notes.ts'

it('counts repeated notes', () => {
  const notes = noteList()
  notes.add('Once')
  notes.count('Often')
  notes.count('Often')
  expect(notes.entries()).toEqual(['Once', 'Often (2)'])
})

it('lists only so many notes, and counts the others', () => {
  const notes = noteList()
  for (let note = 0; note < 100_000; note++) notes.count(`Note ${note}`)
  notes.count('Note 0')
  const listed = notes.entries()
  expect(listed).toHaveLength(201)
  expect([listed[0], listed.at(-1)]).toEqual(['Note 0 (2)', 'Other notes (99800)'])
})

it('names only so many unknown lists', () => {
  const lists = Object.fromEntries(Array.from({ length: 100 }, (_, list) => [`List${list}`, [1, 2]]))
  const [note = ''] = unknownLists(bundleSchema.parse(lists))
  expect(note).toMatch(/^Not imported: List0 \(2\), .*, List19 \(2\), 80 more$/)
})

it('lists only so many reasons, and counts all rows', () => {
  const list = leftOutList()
  for (let row = 0; row < 1000; row++) list.add('Tool', { id: `${row}` }, `Reason ${row}`)
  const entries = list.entries()
  expect(entries).toHaveLength(201)
  expect(entries.at(-1)).toMatchObject({ key: 'Tool', count: 800, why: 'For other reasons' })
  expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(1000)
})
