import { expect, it } from 'vitest'
import { readNotExported, withoutName } from './queries.ts'

it('takes the name of a file out of the answer that holds it', async () => {
  const { name, file } = await withoutName(new Blob(['{"FileDefaultName":"ExportData.json","Tool":[{"id":"1"}]}']))
  expect(name).toBe('ExportData.json')
  expect(JSON.parse(await file.text())).toEqual({ Tool: [{ id: '1' }] })
})

it('refuses an answer that begins with anything else', async () => {
  await expect(withoutName(new Blob(['<html>']))).rejects.toThrow('does not begin with the name')
})

it.each([
  ['{"FileDefaultName":"x","Tool":[]}', []],
  [
    '{"FileDefaultName":"x","Tool":[],"notExported":[{"note":"The source file a of “b]”"}]}',
    ['The source file a of “b]”'],
  ],
  ['{"Tool":[{"a":1,"notExported":[{"note":"of a row"}]}]}', []],
  ['{"Tool":[{"a":1,"notExported":[]}],"notExported":[{"note":"last"}]}', ['last']],
  [JSON.stringify({ Tool: [{ name: ',"notExported":[{"note":"in a text"}]}' }] }), []],
])('reads at the end of %s what is missing', async (text, notes) => {
  expect(await readNotExported(new Blob([text]))).toEqual(notes)
})
