/** The same calls to R2's emulation and to S3, and the product with its files in S3. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FileList } from '#contract/files/files.ts'
import { fileDeletions } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { drawChat } from '../nodes/chatflow/testing/chat.ts'
import { type Bucket, createFileStorage } from './file-storage.ts'
import { createS3Bucket } from './s3/s3-bucket.ts'
import { parseS3Settings, type S3Settings } from './s3/settings.ts'
import { realBucket } from './s3/testing/real-bucket.ts'
import { type S3Server, startS3Server } from './s3/testing/s3-server.ts'
import type { FileStorage } from './types.ts'

let s3: S3Server
let heddle: TestHeddle
beforeAll(async () => {
  s3 = await startS3Server()
  heddle = await startTestHeddle()
})
afterAll(async () => {
  await heddle.close()
  await s3.close()
})

const openS3 = async (settings: S3Settings) => createS3Bucket(settings, globalThis)

const buckets: [string, () => Promise<Bucket>][] = [
  ['R2', async () => (await heddle.openBucket()) as unknown as Bucket],
  ['S3', () => openS3(parseS3Settings(s3.settings) as S3Settings)],
]
if (realBucket) buckets.push(['a real S3', () => openS3(realBucket as S3Settings)])

describe.each(buckets)('a bucket of %s', (_, open) => {
  let storage: FileStorage
  beforeAll(async () => {
    storage = createFileStorage(await open())
  })
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256)

  it('returns what was written last', async () => {
    await storage.write('w/1', new Uint8Array([1]))
    await storage.write('w/1', bytes)
    expect(await storage.read('w/1')).toEqual(bytes)
  })

  it('keeps an empty file and one of 20 MB', async () => {
    await storage.write('w/empty', new Uint8Array())
    expect(await storage.read('w/empty')).toEqual(new Uint8Array())
    const large = new Uint8Array(20 * 1024 ** 2).fill(7)
    await storage.write('w/large', large)
    expect(Buffer.compare((await storage.read('w/large')) as Uint8Array, large)).toBe(0)
  })

  it('returns parts, with the size of the whole', async () => {
    await storage.write('w/1', bytes)
    const part = (offset: number, length: number) => storage.readRange('w/1', { offset, length })
    expect(await part(0, 10)).toEqual({ bytes: bytes.slice(0, 10), size: 1000 })
    expect(await part(990, 100)).toEqual({ bytes: bytes.slice(990), size: 1000 })
    expect(await part(0, 5000)).toEqual({ bytes, size: 1000 })
  })

  it('has nothing under a key that was never written, or was deleted', async () => {
    await storage.write('w/1', bytes)
    await storage.write('w/2', bytes)
    await storage.delete(['w/1', 'w/never', 'w/2'])
    for (const key of ['w/1', 'w/2', 'w/never']) {
      expect(await storage.read(key)).toBeUndefined()
      expect(await storage.readRange(key, { offset: 0, length: 10 })).toBeUndefined()
    }
    await storage.delete([])
  })
})

describe('a Heddle with its files in S3', () => {
  let inS3: TestHeddle
  let ann: TestClient
  beforeAll(async () => {
    inS3 = await startTestHeddle({ bucket: s3.settings })
    ann = await inS3.signUp()
  })
  afterAll(() => inS3.close())
  beforeEach(() => s3.objects.clear())

  const save = () => ann.fetch('/api/v1/chatflows', { method: 'POST', json: FLOW })
  const listFiles = async () => (await call(ann, 'GET', '/files')).body.data as FileList['data']

  it('writes and reads files there, and is ready', async () => {
    expect((await save()).status).toBe(200)
    expect([...s3.objects.values()].map(String)).toEqual(['Wool'])
    const [file] = await listFiles()
    expect(await (await ann.fetch(`/api/v1/files/${file?.id}/content`)).text()).toBe('Wool')
    expect((await inS3.fetch('/api/v1/ready')).status).toBe(200)
  })

  it('deletes all due files but those that S3 refuses to delete, which get another try in an hour', async () => {
    const keys = ['w/1', 'w/2', 'w/3']
    for (const key of keys) s3.objects.set(key, Buffer.from(key))
    await inS3.database.insert(fileDeletions).values(keys.map((key) => ({ key })))
    s3.denied = /^DELETE w\/2$/
    await inS3.scheduled(new Date('2026-05-01T12:00:00.000Z'))
    s3.denied = undefined
    expect([...s3.objects.keys()]).toEqual(['w/2'])
    expect(await inS3.database.select().from(fileDeletions)).toEqual([
      { key: 'w/2', dueDate: '2026-05-01T13:00:00.000Z' },
    ])
    await inS3.scheduled(new Date('2026-05-01T12:59:00.000Z'))
    expect(s3.objects.size).toBe(1)
    await inS3.scheduled(new Date('2026-05-01T13:00:00.000Z'))
    expect(s3.objects.size).toBe(0)
    expect(await inS3.database.select().from(fileDeletions)).toEqual([])
  })

  it('answers 503 with the seconds to wait while S3 fails, and stores nothing', async () => {
    const before = await listFiles()
    s3.always = { status: 503, code: 'SlowDown' }
    const [response, ready] = await Promise.all([save(), inS3.fetch('/api/v1/ready')])
    s3.always = undefined
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({
      message: 'The file storage does not answer. Try again in a few seconds',
    })
    expect(ready.status).toBe(503)
    expect(await listFiles()).toEqual(before)
    expect((await save()).status).toBe(200)
  })
})

const FLOW = {
  name: 'F',
  type: 'CHATFLOW',
  flowData: JSON.stringify(
    drawChat({ textFile_0: { inputs: { txtFile: `data:text/plain;base64,${btoa('Wool')},filename:wool.txt` } } }, []),
  ),
}
