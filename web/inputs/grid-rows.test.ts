import { expect, it } from 'vitest'
import { emptyRow, optionsOf, parseRows, printRows } from './grid-rows.ts'

it('reads rows of JSON text and of lists, and nothing else', () => {
  expect(parseRows('[{"id":1,"a":"x"},null]')).toEqual([{ id: 1, a: 'x' }])
  expect(parseRows([{ a: 'x' }])).toEqual([{ a: 'x' }])
  expect(parseRows('{')).toEqual([])
  expect(parseRows('')).toEqual([])
})

it('writes JSON text, and an empty text for no rows', () => {
  expect(printRows([{ id: 1 }])).toBe('[{"id":1}]')
  expect(printRows([])).toBe('')
})

it('numbers a new row after the highest one', () => {
  const columns = [{ field: 'variable', headerName: 'Variable' }]
  expect(emptyRow([{ id: 4 }, { id: 2 }], columns)).toEqual({ id: 5, variable: '' })
  expect(emptyRow([{ variable: 'x' }], columns)).toEqual({ id: 1, variable: '' })
})

it('offers texts and labelled values', () => {
  const column = { field: 'f', headerName: 'F', valueOptions: ['Is', { label: 'Not', value: 'not' }] }
  expect(optionsOf(column)).toEqual([
    { label: 'Is', value: 'Is' },
    { label: 'Not', value: 'not' },
  ])
})
