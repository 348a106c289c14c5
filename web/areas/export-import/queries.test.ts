import { expect, it } from 'vitest'
import { withoutName } from './queries.ts'

it('takes the name of a file out of the answer that holds it', async () => {
  const { name, file } = await withoutName(new Blob(['{"FileDefaultName":"ExportData.json","Tool":[{"id":"1"}]}']))
  expect(name).toBe('ExportData.json')
  expect(JSON.parse(await file.text())).toEqual({ Tool: [{ id: '1' }] })
})

it('refuses an answer that begins with anything else', async () => {
  await expect(withoutName(new Blob(['<html>']))).rejects.toThrow('does not begin with the name')
})
