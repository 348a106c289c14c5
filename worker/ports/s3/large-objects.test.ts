import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { createLargeObjects } from './large-objects.ts'
import { parseS3Settings, type S3Settings } from './settings.ts'
import { realBucket } from './testing/real-bucket.ts'
import { type S3Server, startS3Server } from './testing/s3-server.ts'

let server: S3Server
beforeEach(async () => {
  server = await startS3Server()
})
afterEach(() => server.close())

const open = () => createLargeObjects(parseS3Settings(server.settings) as S3Settings, globalThis, systemClock)

async function* partsOf(...texts: string[]) {
  for (const text of texts) yield new TextEncoder().encode(text)
}

it('stores parts as one object, and asks again for one that failed', async () => {
  server.faults.push({ status: 503, code: 'SlowDown' })
  await open().upload('a ü.gz', partsOf('one ', 'two ', 'three'))
  expect(server.objects.get('a ü.gz')?.toString()).toBe('one two three')
  let text = ''
  for await (const bytes of open().download('a ü.gz')) text += new TextDecoder().decode(bytes)
  expect(text).toBe('one two three')
  expect(server.uploads.size).toBe(0)
})

it.each(['parts that cannot be read', 'a bucket that refuses a part', 'a bucket that refuses the end'])(
  'leaves nothing behind after %s',
  async (what) => {
    async function* parts() {
      yield* partsOf('one')
      if (what.startsWith('parts')) throw new Error('The disk fails')
      server.faults.push({ status: what.endsWith('end') ? 200 : 403, code: 'Refused' })
      if (what.endsWith('part')) yield* partsOf('two')
    }
    await expect(open().upload('a', parts())).rejects.toThrow(/The disk fails|Refused/)
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0])
  },
)

it('says that an object is not there', async () => {
  await expect(open().download('a').next()).rejects.toThrow('has no object a')
})

it.runIf(realBucket)('a real server puts the parts together', async () => {
  const objects = createLargeObjects(realBucket as S3Settings, globalThis, systemClock)
  const parts = [7, 8].map((byte) => new Uint8Array(9 * 1024 ** 2).fill(byte))
  async function* given() {
    yield* parts
  }
  await objects.upload('a ü/parts.gz', given())
  const read: Uint8Array[] = []
  for await (const bytes of objects.download('a ü/parts.gz')) read.push(bytes)
  expect(Buffer.compare(Buffer.concat(read), Buffer.concat(parts))).toBe(0)
})
