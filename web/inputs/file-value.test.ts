import { expect, it } from 'vitest'
import { fileNameOf, readFile } from './file-value.ts'

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
  ['data:text/plain;base64,QQ==', 'A file'],
  ['openapi: 3.1.0', 'A file'],
])('reads the file name of %j', (value, name) => expect(fileNameOf(value)).toBe(name))
