// @defends message-becomes-formula
import { expect, it } from 'vitest'
import { csvLine } from './csv.ts'

it('quotes every value and doubles quotes within', () => {
  expect(csvLine(['a', 'b "c", d', 'two\nlines', 7, null, undefined])).toBe(
    '"a","b ""c"", d","two\nlines","7","",""\r\n',
  )
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j opens as text and not as a formula', (value) => {
  expect(csvLine([value])).toBe(`"'${value}"\r\n`)
})

it('leaves signs within a text as they are', () => {
  expect(csvLine(['a=b', 'me@example.com', ' -1'])).toBe('"a=b","me@example.com"," -1"\r\n')
})
