import { expect, it } from 'vitest'
import type { PlannedItems } from '../planned.ts'
import { cutItems, type ItemPiece } from './cut-items.ts'

const BOUNDS = { rows: 4, chars: 1000 }
const NONE: PlannedItems = { flows: [], assistants: [], templates: [], tools: [], variables: [], stores: [] }
const rowsOf = (list: string, count: number, text = '') =>
  Array.from({ length: count }, (_, n) => ({ id: `${list} ${n}`, name: text, isReplacing: false })) as never

const cut = (items: Partial<PlannedItems>, files = new Map()) => cutItems({ ...NONE, ...items }, files, BOUNDS)
const idsOf = ({ sourceFiles: _, stores, ...piece }: ItemPiece) => [
  ...stores.map(({ store }) => store.id),
  ...Object.values(piece).flatMap((rows: { id: string }[]) => rows.map(({ id }) => id)),
]

it('a piece of items has only so many rows and characters, unless one alone has more', () => {
  expect(cut({ tools: rowsOf('tool', 9) }).map((piece) => idsOf(piece).length)).toEqual([4, 4, 1])
  expect(cut({ tools: rowsOf('tool', 4, 'x'.repeat(400)) }).map((piece) => idsOf(piece).length)).toEqual([2, 2])
  expect(cut({ tools: rowsOf('tool', 2, 'x'.repeat(2000)) }).map((piece) => idsOf(piece).length)).toEqual([1, 1])
  expect(cut({})).toEqual([])
})

it('items come behind those that they refer to', () => {
  const store = { store: { id: 'store' }, loaders: [{ id: 'loader' }], sources: rowsOf('source', 6) } as never
  const pieces = cut({
    ...{ flows: rowsOf('flow', 1), assistants: rowsOf('assistant', 1), templates: rowsOf('template', 1) },
    ...{ tools: rowsOf('tool', 1), variables: rowsOf('variable', 1), stores: [store] },
  })
  expect(pieces.map((piece) => idsOf(piece).toSorted())).toEqual([
    ['store', 'template 0', 'tool 0', 'variable 0'],
    ['source 0', 'source 1', 'source 2', 'source 3'],
    ['assistant 0', 'flow 0', 'source 4', 'source 5'],
  ])
})

it('a custom assistant stays with its flow, in one piece', () => {
  const own = Array.from({ length: 5 }, (_, n) => ({ id: `flow ${n}`, type: 'CUSTOM', details: '{}' })) as never
  for (const piece of cut({ flows: rowsOf('flow', 5), assistants: own }))
    expect(piece.assistants.map(({ id }) => id)).toEqual(piece.flows.map(({ id }) => id))
  expect(cut({ assistants: own }).flatMap((piece) => piece.assistants)).toHaveLength(5)
})

it('a piece names the stored files of its flows, in place of their bytes', () => {
  const flows = (rowsOf('flow', 5) as object[]).map((row) => ({ ...row, sources: [{ name: 'a', data: 'AAAA' }] }))
  const file = { name: 'a', size: 3, digest: 'd', objectId: 'o' }
  const pieces = cut({ flows: flows as never }, new Map([['flow 4', [file]]]))
  expect(pieces.map(({ sourceFiles }) => sourceFiles.get('flow 4'))).toEqual([undefined, [file]])
  expect(JSON.stringify(pieces)).not.toContain('AAAA')
})
