// @defends costly-request
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_UPLOAD_CHARACTERS } from '#contract/predictions/uploads.ts'
import { readAttachments } from './attachments.ts'

afterEach(() => vi.restoreAllMocks())

const config = { status: true }
const read = (files: File[]) => readAttachments(files, { config, base64: false, isKnown: false })
const fileOf = (text: BlobPart, name: string, type: string) => new File([text], name, { type })

/** Counts the bytes that are made into text. */
function countDecoded() {
  let bytes = 0
  const decode = TextDecoder.prototype.decode
  vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (this: TextDecoder, input, options) {
    bytes += input?.byteLength ?? 0
    return decode.call(this, input, options)
  })
  return () => bytes
}

describe('a text above the limit', () => {
  it.each([
    ['page.html', 'text/html', '<p>a</p>'],
    ['table.csv', 'text/csv', 'a,b,c\n'],
    ['data.json', 'application/json', '[1,2],\n'],
  ])('is decoded up to the limit: %s', async (name, type, unit) => {
    const file = fileOf(unit.repeat(9_000_000 / unit.length), name, type)
    const decoded = countDecoded()
    await expect(read([file])).rejects.toThrow('at most 1000000 characters')
    expect(decoded()).toBeLessThan(1.1 * MAX_UPLOAD_CHARACTERS)
  })

  it('keeps the files behind it from being read', async () => {
    const files = ['a', 'b', 'c', 'd'].map((name) => fileOf('x'.repeat(600_000), `${name}.txt`, 'text/plain'))
    const decoded = countDecoded()
    await expect(read(files)).rejects.toThrow('at most 1000000 characters in total')
    expect(decoded()).toBe(1_200_000)
  })
})

describe('a text within the limit', () => {
  it('is whole, though a character lies across two pieces', async () => {
    const text = `a${'é'.repeat(100_000)}`
    expect(await read([fileOf(`\ufeff${text}`, 'a.txt', 'text/plain')])).toEqual([
      { name: 'a.txt', mimeType: 'text/plain', size: 200_004, content: text },
    ])
  })

  it.each([
    ['ends within a character', new Uint8Array([0x61, 0xc3])],
    ['has a NUL character', new Uint8Array([0x61, 0x00])],
  ])('is refused when it %s', async (_, bytes) => {
    await expect(read([fileOf(bytes, 'a.txt', 'text/plain')])).rejects.toThrow('Cannot read text from text/plain')
  })
})
