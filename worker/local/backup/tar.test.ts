import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BLOCK_BYTES, paddingOf, readEntries, tarHeader } from './tar.ts'

const LONG = `files/${'d'.repeat(90)}/${'n'.repeat(90)}`
const files = [
  { name: 'empty', bytes: Buffer.alloc(0) },
  { name: 'block', bytes: Buffer.alloc(BLOCK_BYTES, 'b') },
  { name: LONG, bytes: Buffer.from('long') },
]
const tar = Buffer.concat([
  ...files.flatMap(({ name, bytes }) => [tarHeader(name, bytes.length), bytes, Buffer.alloc(paddingOf(bytes.length))]),
  Buffer.alloc(2 * BLOCK_BYTES),
])

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: AsyncIterable<Buffer>) {
  const found: { name: string; bytes: Buffer }[] = []
  for await (const { name, chunks } of readEntries(bytes)) {
    const read: Buffer[] = []
    for await (const chunk of chunks) read.push(chunk)
    found.push({ name, bytes: Buffer.concat(read) })
  }
  return found
}

it.each([1, 7, 512, 10_000])('reads what it has written in chunks of %i bytes', async (size) => {
  expect(await read(inChunks(tar, size))).toEqual(files)
})

it('the system’s tar reads it too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-tar-'))
  writeFileSync(join(folder, 'a.tar'), tar)
  expect(execFileSync('tar', ['tf', join(folder, 'a.tar')], { encoding: 'utf8' })).toBe(`empty\nblock\n${LONG}\n`)
  rmSync(folder, { recursive: true })
})

it('keeps sizes above 8 GB', async () => {
  const entries = readEntries(inChunks(tarHeader('large', 20 * 1024 ** 3), 512))
  expect((await entries.next()).value).toMatchObject({ name: 'large', size: 20 * 1024 ** 3 })
})

it('throws for an archive that ends early or is none', async () => {
  await expect(read(inChunks(tar.subarray(0, 700), 512))).rejects.toThrow('ends early')
  await expect(read(inChunks(Buffer.alloc(1024, 'x'), 512))).rejects.toThrow('Not a header')
})

it('throws for a name that no tar file can hold', () => {
  expect(() => tarHeader('n'.repeat(101), 1)).toThrow('too long')
})
