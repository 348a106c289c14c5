import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { systemClock } from '../clock.ts'
import { createFileStorage } from '../file-storage.ts'
import { createS3Bucket, listS3Objects } from './s3-bucket.ts'
import { parseS3Settings, type S3Environment, type S3Settings } from './settings.ts'
import { type Fault, type S3Server, startS3Server } from './testing/s3-server.ts'

let server: S3Server
let log: MockInstance<typeof console.error>
beforeEach(async () => {
  server = await startS3Server()
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  await server.close()
})

/** Waits no time between attempts, but knows how long it would have been. */
function quickClock() {
  let now = Date.now()
  return {
    now: () => new Date(now),
    async sleep(ms: number) {
      now += ms
    },
  }
}

const open = (env: Partial<S3Environment> = {}) =>
  createFileStorage(
    createS3Bucket(parseS3Settings({ ...server.settings, ...env }) as S3Settings, globalThis, quickClock()),
  )
const bytes = (text: string) => new TextEncoder().encode(text)
const logged = () => log.mock.calls.flat().map(String).join('\n')

it('signs keys with every sign that a URL may not hold', async () => {
  const storage = open()
  const keys = ['w/1', "w/a b+c&d=e?f#g%20!'()*", 'w/ü/漢字/😀']
  for (const key of keys) await storage.write(key, bytes(key))
  expect([...server.objects.keys()]).toEqual(keys)
  for (const key of keys) expect(await storage.read(key)).toEqual(bytes(key))
  expect(log).not.toHaveBeenCalled()
})

it.each<[string, Fault]>([
  ['is busy', { status: 503, code: 'SlowDown' }],
  ['fails', { status: 500, code: 'InternalError' }],
  ['did not get all in time', { status: 400, code: 'RequestTimeout' }],
  ['cuts the connection', 'cut'],
])('asks again when the server %s', async (_, fault) => {
  const storage = open()
  server.faults.push(fault, fault)
  await storage.write('w/1', bytes('a'))
  server.faults.push(fault)
  expect(await storage.read('w/1')).toEqual(bytes('a'))
  server.faults.push(fault)
  await storage.delete(['w/1'])
  expect(server.objects.size).toBe(0)
  expect(server.seen).toEqual([
    ...Array(3).fill('PUT w/1'),
    ...Array(2).fill('GET w/1'),
    ...Array(2).fill('DELETE w/1'),
  ])
})

it('asks again when an answer ends before its file does', async () => {
  const storage = open()
  await storage.write('w/1', bytes('whole'))
  server.faults.push('cut body')
  expect(await storage.read('w/1')).toEqual(bytes('whole'))
})

it.each<Fault>([{ status: 503, code: 'SlowDown' }, 'cut'])(
  'says that storage does not answer when it goes on to fail with %j, and why in the log',
  async (fault) => {
    server.always = fault
    await expect(open().read('w/1')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The file storage does not answer. Try again in a few seconds',
      details: { retryAfterSeconds: 5 },
    })
    expect(server.seen.length).toBeGreaterThan(5)
    expect(logged()).toMatch(fault === 'cut' ? /could not be reached/ : /answered 503 SlowDown: So says the bucket/)
  },
)

describe('files that the bucket does not delete', () => {
  const keys = Array.from({ length: 30 }, (_, index) => `w/${index}`)
  beforeEach(() => {
    for (const key of keys) server.objects.set(key, Buffer.from(key))
  })

  it('hold up no others, and are in the log with the reason', async () => {
    server.denied = /^DELETE w\/[27]$/
    const { deleted, failed } = await open().delete(keys)
    expect(failed).toEqual(['w/2', 'w/7'])
    expect([...server.objects.keys()]).toEqual(failed)
    expect(deleted).toEqual(keys.filter((key) => !failed.includes(key)))
    expect(logged()).toMatch(/failed to delete w\/2: http.* answered 403 AccessDenied: So says the bucket/)
    expect(logged()).toMatch(/failed to delete w\/7: http.* answered 403 AccessDenied: So says the bucket/)
  })

  it('end the deletion when they are many', async () => {
    server.denied = /^DELETE w\/(?!0$)/
    const { deleted, failed } = await open().delete(keys)
    expect(deleted).toEqual(['w/0'])
    expect(failed.length).toBeLessThan(20)
    expect(server.seen).toHaveLength(failed.length + 1)
  })

  it('are named by the first to those who need all deleted', async () => {
    server.denied = /^DELETE w\/3$/
    const bucket = createS3Bucket(parseS3Settings(server.settings) as S3Settings, globalThis)
    await expect(bucket.delete(keys)).rejects.toThrow(/^w\/3 could not be deleted: http.* 403 AccessDenied/)
  })
})

describe('what no other attempt would change is tried once', () => {
  it.each<[string, Partial<S3Environment>, RegExp]>([
    ['another secret', { S3_SECRET_ACCESS_KEY: 'wrong' }, /403 SignatureDoesNotMatch.*\nCorrect S3_SECRET_ACCESS_KEY/],
    ['another key', { S3_ACCESS_KEY_ID: 'AKIDOTHER' }, /403 InvalidAccessKeyId.*\nCorrect S3_ACCESS_KEY_ID/],
    ['another region', { S3_REGION: 'us-test-2' }, /Set S3_REGION, which is "us-test-2", to the region of the bucket/],
    ['no bucket', { S3_BUCKET: 'other' }, /404 NoSuchBucket.*\nCreate the bucket "other", or correct S3_BUCKET/],
  ])('with %s', async (_, env, reason) => {
    await expect(open(env).read('w/1')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(open(env).write('w/1', bytes('a'))).rejects.toMatchObject({ code: 'unavailable' })
    expect(server.seen).toEqual(['GET w/1', 'PUT w/1'])
    expect(logged()).toMatch(reason)
    expect(server.objects.size).toBe(0)
  })

  it('with a key that may not list the bucket', async () => {
    server.always = { status: 403, code: 'AccessDenied' }
    await expect(open().read('readiness')).rejects.toMatchObject({ code: 'unavailable' })
    expect(logged()).toContain('s3:ListBucket of it: without the last, S3 refuses to say that a file is not there')
  })
})

it('returns no bytes of an empty file in parts, or past the end of one', async () => {
  const storage = open()
  await storage.write('w/empty', new Uint8Array())
  await storage.write('w/1', bytes('abc'))
  const part = { offset: 3, length: 10 }
  expect(await storage.readRange('w/empty', { ...part, offset: 0 })).toEqual({ bytes: new Uint8Array(), size: 0 })
  expect(await storage.readRange('w/1', part)).toEqual({ bytes: new Uint8Array(), size: 3 })
})

it('lists every object, page by page', async () => {
  const keys = Array.from({ length: 8 }, (_, index) => `w/${index} ü&<+`)
  for (const key of keys) await open().write(key, bytes(key))
  const listed = []
  for await (const object of listS3Objects(parseS3Settings(server.settings) as S3Settings, globalThis))
    listed.push(object)
  expect(listed).toEqual(keys.map((key) => ({ key, size: bytes(key).length })))
})

it('refuses the whole of a file in place of a part', async () => {
  const network = { fetch: async () => new Response('x'.repeat(100)) }
  const bucket = createS3Bucket(parseS3Settings(server.settings) as S3Settings, network, systemClock)
  const part = createFileStorage(bucket).readRange('w/1', { offset: 0, length: 10 })
  await expect(part).rejects.toMatchObject({ code: 'unavailable' })
  expect(logged()).toContain('does not answer requests for a part of a file')
})

it('refuses a part without the size of the whole', async () => {
  const network = { fetch: async () => new Response('abc', { status: 206 }) }
  const bucket = createS3Bucket(parseS3Settings(server.settings) as S3Settings, network, systemClock)
  const part = createFileStorage(bucket).readRange('w/1', { offset: 0, length: 3 })
  await expect(part).rejects.toMatchObject({ code: 'unavailable' })
  expect(logged()).toContain('answered with a part of w/1, but not with the size of the whole')
})

it.each(['<html>Not Found</html>', ''])('takes no file for missing when a proxy answers 404 with %j', async (page) => {
  const network = { fetch: async () => new Response(page, { status: 404 }) }
  const bucket = createS3Bucket(parseS3Settings(server.settings) as S3Settings, network, systemClock)
  const storage = createFileStorage(bucket)
  await expect(storage.read('w/1')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await storage.delete(['w/1'])).toEqual({ deleted: [], failed: ['w/1'] })
  expect(logged()).toContain('answered 404\nNo server of S3 says so. Correct S3_ENDPOINT')
})

it('keeps the secret out of the log', async () => {
  server.always = 'cut'
  await expect(open().read('w/1')).rejects.toThrow()
  expect(logged()).not.toContain(server.settings.S3_SECRET_ACCESS_KEY)
})
