import { expect, it } from 'vitest'
import { countFiles, fileNameOf, readFile, readFiles } from './file-value.ts'

it.each(['api.yaml', 'one, two.json', 'Grüße.txt', 'a,filename:b.txt'])(
  'keeps a file with its name: %s',
  async (name) => {
    const value = await readFile(new File(['openapi: 3.1.0'], name, { type: 'text/plain' }))
    expect(value.startsWith(`data:text/plain;base64,${btoa('openapi: 3.1.0')},`)).toBe(true)
    expect(fileNameOf(value)).toBe(name)
  },
)

it('keeps the bytes of binary files', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const value = await readFile(new File([bytes], 'all'))
  expect(value).toMatch(/^data:application\/octet-stream;base64,/)
  const [, base64 = ''] = /base64,([^,]*)/.exec(value) ?? []
  expect(Buffer.from(base64, 'base64')).toEqual(Buffer.from(bytes))
})

it('rejects files that would make the flow too large to save', () =>
  expect(readFile(new File([new Uint8Array(4 * 1024 * 1024 + 1)], 'big.bin'))).rejects.toThrow(
    'big.bin is too large to store in a flow. The limit is 4 MB.',
  ))

it.each([
  ['', undefined],
  ['FILE-STORAGE::key/api.yaml', 'key/api.yaml'],
  ['FILE-STORAGE::["a.pdf","b.pdf"]', 'a.pdf, b.pdf'],
  ['data:text/plain;base64,QQ==', 'A file'],
  ['openapi: 3.1.0', 'A file'],
])('reads the file name of %j', (value, name) => expect(fileNameOf(value)).toBe(name))

it('keeps the files of a folder with their names', async () => {
  const value = await readFiles([new File(['a'], 'a.txt'), new File(['b'], 'b.txt')])
  expect((JSON.parse(value) as string[]).map(fileNameOf)).toEqual(['a.txt', 'b.txt'])
  expect(countFiles(value)).toBe(2)
})

it('rejects a folder that would make the flow too large to save', () => {
  const half = new Uint8Array(2 * 1024 * 1024 + 1)
  return expect(readFiles([new File([half], 'a'), new File([half], 'b')])).rejects.toThrow('The folder is too large')
})

it.each([
  ['', 0],
  ['data:text/plain;base64,QQ==,filename:a', 1],
  ['FILE-STORAGE::["a.pdf","b.pdf"]', 2],
  ['FILE-STORAGE::a.pdf', 1],
])('counts the files of %j', (value, count) => expect(countFiles(value)).toBe(count))
