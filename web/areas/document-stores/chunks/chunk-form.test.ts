import { expect, it } from 'vitest'
import { changeOf, checkChunk, fieldsOf, metadataLine } from './chunk-form.ts'

const chunk = { pageContent: 'Thirty days.', metadata: '{"source":"a.pdf","page":2}' }

it('an unchanged form changes nothing, however the metadata is laid out', () => {
  expect(changeOf(chunk, fieldsOf(chunk))).toEqual({})
})

it('sends only what changed', () => {
  const fields = fieldsOf(chunk)
  expect(changeOf(chunk, { ...fields, pageContent: 'Forty days.' })).toEqual({ pageContent: 'Forty days.' })
  expect(changeOf(chunk, { ...fields, metadata: '{"source":"b.pdf"}' })).toEqual({ metadata: { source: 'b.pdf' } })
})

it.each([
  [{ pageContent: ' \n' }, 'pageContent'],
  [{ pageContent: 'x'.repeat(20_001) }, 'pageContent'],
  [{ metadata: '[1]' }, 'metadata'],
  [{ metadata: '{' }, 'metadata'],
])('refuses case %#', (wrong, field) => {
  expect(Object.keys(checkChunk({ ...fieldsOf(chunk), ...wrong }).fields)).toEqual([field])
})

it('accepts a text with any JSON object beside it', () => {
  expect(checkChunk({ pageContent: 'x'.repeat(20_000), metadata: '{}' }).fields).toEqual({})
})

it.each([
  ['{"page":3,"headings":"Leave > Holidays"}', 'page 3 · Leave > Holidays'],
  ['{"loc":{"pageNumber":4}}', 'page 4'],
  ['{"title":"Handbook"}', 'Handbook'],
  ['{"page":"three"}', ''],
  ['not JSON', ''],
])('summarizes the metadata %s', (metadata, line) => {
  expect(metadataLine(metadata)).toBe(line)
})
